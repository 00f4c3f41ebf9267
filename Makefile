# Builds the program and copies it to $(EXE): `make EXE=name`.
# `make EVALFILE=path` embeds another network.

EXE ?= tabia
CARGO ?= cargo
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
# The given name, with the system's suffix exactly once.
OUTPUT := $(if $(SUFFIX),$(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX),$(EXE))

ifdef EVALFILE
  # Cargo runs the build script in this folder, so a relative path keeps its meaning.
  export EVALFILE
endif

.PHONY: program native baseline release test help

program:
	$(CARGO) build --release --locked
	cp "$(TARGET_DIR)/release/tabia$(SUFFIX)" "$(OUTPUT)"

native: export RUSTFLAGS := -C target-cpu=native
native: program

baseline: export RUSTFLAGS := -C target-cpu=generic
baseline: program

test:
	$(CARGO) test --release --locked --workspace

# The files of a release: docs/releases.md. Each says only its version, not its commit.

RELEASE_DIR ?= $(TARGET_DIR)/dist
TABIA_RELEASE ?= 1

release: export TABIA_RELEASE := $(TABIA_RELEASE)
release:
	.ci/release --out "$(RELEASE_DIR)" $(TARGET)

help:
	@echo "make [EXE=name]      build the program as 'name' (tabia); on x86-64 it needs AVX2 and BMI2"
	@echo "make native          the same for the processor of this machine only"
	@echo "make baseline        the same for every processor of this architecture"
	@echo "make EVALFILE=path   the same with another network built in"
	@echo "make release         build the files of a release in $(RELEASE_DIR); TARGET=... for one system"
	@echo "make test            run all tests"
