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

.PHONY: program native baseline install release test help

program:
	$(CARGO) build --release --locked
	cp -f "$(TARGET_DIR)/release/tabia$(SUFFIX)" "$(OUTPUT)"

native: export RUSTFLAGS := -C target-cpu=native
native: program

baseline: export RUSTFLAGS := -C target-cpu=generic
baseline: program

PREFIX ?= /usr/local
DATA_DIR = $(DESTDIR)$(PREFIX)/share
BUILT = "$(TARGET_DIR)/release/tabia$(SUFFIX)"

install:
	$(CARGO) build --release --locked
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(DATA_DIR)/man/man6" \
	  "$(DATA_DIR)/bash-completion/completions" "$(DATA_DIR)/zsh/site-functions" \
	  "$(DATA_DIR)/fish/vendor_completions.d"
	install -m 755 $(BUILT) "$(DESTDIR)$(PREFIX)/bin/tabia$(SUFFIX)"
	$(BUILT) man >"$(DATA_DIR)/man/man6/tabia.6"
	$(BUILT) completions bash >"$(DATA_DIR)/bash-completion/completions/tabia"
	$(BUILT) completions zsh >"$(DATA_DIR)/zsh/site-functions/_tabia"
	$(BUILT) completions fish >"$(DATA_DIR)/fish/vendor_completions.d/tabia.fish"

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
	@echo "make install         install program, manual page and completions below PREFIX=/usr/local"
	@echo "make release         build the files of a release in $(RELEASE_DIR); TARGET=... for one system"
	@echo "make test            run all tests"
