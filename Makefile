# Builds the program for the processor at hand and leaves it as $(EXE): `make EXE=name`.

EXE ?= tabia
CARGO ?= cargo
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)

ifeq ($(OS),Windows_NT)
  SUFFIX := .exe
endif
# The name as given, with the system's ending once.
OUTPUT := $(if $(SUFFIX),$(patsubst %$(SUFFIX),%,$(EXE))$(SUFFIX),$(EXE))

# The least processor that a portable program asks for: on x86-64 one with AVX2 and BMI2 (2013 and later).
ifneq (,$(findstring host: x86_64,$(shell rustc -vV)))
  PORTABLE_CPU ?= x86-64-v3
else
  PORTABLE_CPU ?= generic
endif

.PHONY: native portable test help

native:
	$(CARGO) build --release --locked
	cp "$(TARGET_DIR)/release/tabia$(SUFFIX)" "$(OUTPUT)"

portable: export RUSTFLAGS := -C target-cpu=$(PORTABLE_CPU)
portable: native

test:
	$(CARGO) test --release --workspace

help:
	@echo "make [EXE=name]      the program for this processor, left as 'name' (tabia)"
	@echo "make portable        the same for any processor from $(PORTABLE_CPU) on; PORTABLE_CPU=... changes that"
	@echo "make test            all tests"
