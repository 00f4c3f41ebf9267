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

# Releases: docs/releases.md describes the files and what was tested.

TARGET ?= $(shell rustc -vV | sed -n 's/^host: //p')
RELEASE_DIR ?= $(TARGET_DIR)/dist
SHA256SUM ?= sha256sum
VERSION = $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
RELEASE_NAME = tabia-$(VERSION)-$(TARGET)

# x86-64 gets a file for each of these processors, another target one file for its baseline.
RELEASE_CPUS := $(if $(filter x86_64-%,$(TARGET)),x86-64-v3 x86-64)
# The files are linked statically: they need no libraries at run time.
RELEASE_FLAGS := $(if $(findstring -linux-,$(TARGET))$(findstring -msvc,$(TARGET)),-C target-feature=+crt-static)
# Symbols and local paths are removed, so that the same source gives the same bytes in any folder.
RELEASE_FLAGS += -C strip=symbols \
  --remap-path-prefix=$(CURDIR)=/tabia --remap-path-prefix=$(abspath $(TARGET_DIR))=/tabia/target \
  --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=/cargo
RELEASE_SUFFIX := $(if $(findstring -windows-,$(TARGET)),.exe)

# $(1): more flags for the compiler; $(2): the end of the file's name.
define build_release
	RUSTFLAGS="$(RELEASE_FLAGS) $(1)" $(CARGO) build --release --locked --target $(TARGET)
	cp "$(TARGET_DIR)/$(TARGET)/release/tabia$(RELEASE_SUFFIX)" "$(RELEASE_DIR)/$(RELEASE_NAME)$(2)$(RELEASE_SUFFIX)"

endef

release:
	@test -d "$$(rustc --print sysroot)/lib/rustlib/$(TARGET)/lib" || \
	  { echo "no standard library for $(TARGET) is installed; run: rustup target add $(TARGET)"; exit 1; }
	mkdir -p "$(RELEASE_DIR)"
	$(foreach cpu,$(RELEASE_CPUS),$(call build_release,-C target-cpu=$(cpu),-$(cpu)))
	$(if $(RELEASE_CPUS),,$(call build_release))
	cd "$(RELEASE_DIR)" && $(SHA256SUM) tabia-$(VERSION)-* > SHA256SUMS

help:
	@echo "make [EXE=name]      build the program as 'name' (tabia); on x86-64 it needs AVX2 and BMI2"
	@echo "make native          the same for the processor of this machine only"
	@echo "make baseline        the same for every processor of this architecture"
	@echo "make EVALFILE=path   the same with another network built in"
	@echo "make release         build the files of a release in $(RELEASE_DIR); TARGET=... for another system"
	@echo "make test            run all tests"
