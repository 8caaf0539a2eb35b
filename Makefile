# psbench: one Makefile for the library, the program, the tests and the benchmarks.
#
#   make                     build/psbench and build/libpsbench.a (release)
#   make table4 [PSB=DIR]    set up, build, run the main job
#   make test                set up, build, run every test
#   make config=asan test    the same under a sanitizer; configurations: release portable debug
#                            clang asan ubsan tsan coverage, each in build/<config>/
#   make test-long           the tests of clang's build and under every sanitizer, and some minutes of
#                            fuzzing: what takes longer than `make test`
#   make memcheck            the command-line tests under valgrind
#   make fuzz SECONDS=60     fuzz everything that reads bytes, so long each (needs clang)
#   make bench [BENCH=FILE]  measure speed; PSB_DIR may name the folder of the PSB's models
#   make install PREFIX=DIR  program, library, header and psbench.pc for pkg-config

config ?= release
# make itself presets CC; only what the user says counts.
ifeq ($(origin CC),default)
CC := gcc
endif
ifneq ($(filter clang tsan fuzz,$(config)),)
# Clang finds other mistakes than gcc. ThreadSanitizer knows OpenMP's synchronisation only through clang's libomp and its archer tool;
# libFuzzer is a part of clang.
CC := $(firstword $(shell command -v clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19))
ifeq ($(CC),)
$(error config=$(config) needs clang and libomp-dev)
endif
endif
AR ?= ar
PREFIX ?= /usr/local

out := build/$(config)
packages := fftw3 openblas lapacke libcjson libxxhash cairo libpng zlib
# What reads the formats that psbench has no reader of its own for is built where assimp is.
# Sanitizers take more addresses than it may have.
import := $(if $(filter asan tsan fuzz,$(config)),,\
            $(if $(shell pkg-config --exists assimp 2>/dev/null && echo yes),psbench-import))
# Archives of models are read where libarchive is.
archive := $(shell pkg-config --exists libarchive 2>/dev/null && echo libarchive)
packages += $(archive)
test_packages := cmocka

warnings := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wvla -Wformat=2 -Wundef -Wpointer-arith -Werror
# What users run: mistakes in bounds end it instead of being used, and addresses are not guessed.
harden := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fPIE
ldflags_release := -pie -Wl,-z,relro,-z,now
cflags_release  := -O3 -g $(harden)
# What processors run that have nothing beyond the least of their kind.
cflags_portable := -O3 -g -DPSB_PORTABLE
cflags_clang    := $(cflags_release)
ldflags_clang   := $(ldflags_release)
cflags_debug    := -O0 -g3
cflags_asan     := -O1 -g -fsanitize=address -fno-omit-frame-pointer
cflags_ubsan    := -O1 -g -fsanitize=undefined,float-divide-by-zero -fno-sanitize-recover=all
cflags_tsan     := -O1 -g -fsanitize=thread
cflags_coverage := -O0 -g --coverage
cflags_fuzz     := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
ifeq ($(cflags_$(config)),)
$(error unknown config=$(config): release, portable, debug, clang, asan, ubsan, tsan or coverage)
endif

CFLAGS ?=
# Asks pkg-config once, when the first recipe needs it: `make test` sets up before that.
ask = $(if $(shell pkg-config --exists $(2) 2>/dev/null && echo yes),$(shell pkg-config $(1) $(2)),\
      $(error not all of $(2) are installed: run `make setup`))
package_cflags = $(eval package_cflags := $(call ask,--cflags,$(packages)))$(package_cflags)
package_libs = $(eval package_libs := $(call ask,--libs,$(packages)))$(package_libs)
test_libs = $(eval test_libs := $(call ask,--libs,$(test_packages)))$(test_libs)
# Results must not depend on what the compiler may contract or reorder.
all_cflags = -std=c11 -D_GNU_SOURCE -Iinclude -Isrc -Itools -fopenmp -ffp-contract=off $(warnings) \
             $(if $(archive),-DPSB_LIBARCHIVE) $(cflags_$(config)) $(package_cflags) $(CFLAGS)
all_libs = $(ldflags_$(config)) $(package_libs) -lm

library_sources := $(filter-out src/cli/%,$(wildcard src/*/*.c))
program_sources := $(wildcard src/cli/*.c)
# What makes the generated benchmark: linked into the program, no part of the library.
tool_sources := $(wildcard tools/*/*.c)
data_files := $(wildcard data/*/*.css data/*/*.js)
data_sources := $(addprefix $(out)/,$(addsuffix .c,$(basename $(data_files))))
library_objects := $(library_sources:%.c=$(out)/%.o) $(data_sources:.c=.o)
program_objects := $(program_sources:%.c=$(out)/%.o)
tool_objects := $(tool_sources:%.c=$(out)/%.o)
unit_sources := $(wildcard tests/unit/test_*.c)
unit_programs := $(unit_sources:%.c=$(out)/%)
support_objects := $(patsubst %.c,$(out)/%.o,$(wildcard tests/support/*.c))

.DEFAULT_GOAL := all
.PHONY: all setup table4 test test-long unit-tests examples bench bench-programs memcheck fuzz format lint \
        install clean always
.DELETE_ON_ERROR:
.SECONDARY:

all: $(out)/psbench $(out)/libpsbench.a $(addprefix $(out)/,$(import))
ifeq ($(config),release)
all: build/psbench build/libpsbench.a $(addprefix build/,$(import))

build/psbench build/psbench-import build/libpsbench.a: build/%: $(out)/%
	cp $< $@
endif

# Set-up may install what pkg-config will be asked for, so the build is a second make.
setup:
	@scripts/setup.sh

table4: setup
	@$(MAKE) --no-print-directory all
	@$(out)/psbench table4 $(if $(PSB),--psb '$(PSB)' --skip-missing) -o '$(or $(RUN),psb-run)'

test: setup
	@$(MAKE) --no-print-directory all unit-tests examples bench-programs
	@tests/run.sh $(out)

# Installs clang and valgrind, too.
test-long:
	@scripts/setup.sh --ci
	@tests/long.sh

unit-tests: $(unit_programs) $(out)/tests/shim/fault.so
examples: $(patsubst %.c,$(out)/%,$(wildcard examples/*.c))

# BENCH: the file for the figures, for bench/compare.
BENCH ?= build/bench.json
bench_parts := $(filter-out %/compare.o %/stream.o,$(patsubst %.c,$(out)/%.o,$(wildcard bench/*.c)))
bench_programs := $(out)/bench/bench $(out)/bench/compare $(out)/bench/stream
bench-programs: $(bench_programs)
bench: bench-programs
	@mkdir -p '$(dir $(BENCH))'
	@$(out)/bench/bench '$(BENCH)'

memcheck: setup
	@$(MAKE) --no-print-directory all examples bench-programs
	@tests/run.sh $(out) --memcheck

SECONDS ?= 60
fuzz:
	@$(MAKE) -s --no-print-directory config=fuzz build/fuzz/tests/fuzz/fuzz
	@scripts/fuzz.sh build/fuzz/tests/fuzz/fuzz $(SECONDS)

# Files that change when the list of objects or the command that compiles them does, so that a
# source file that goes, or another CC or CFLAGS, is noticed like any other change.
remember = @mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' > $@

$(out)/objects.txt: always
	$(call remember,$(library_objects) $(program_objects) $(tool_objects) $(support_objects))

$(out)/compiler.txt: always
	$(call remember,$(CC) $(all_cflags) $(LDFLAGS))

$(out)/psbench: $(program_objects) $(tool_objects) $(out)/libpsbench.a $(out)/objects.txt
	$(CC) $(all_cflags) $(LDFLAGS) -o $@ $(filter-out %.txt,$^) $(all_libs)

$(out)/psbench-import: $(out)/tools/psbench-import.o $(out)/libpsbench.a
	$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(shell pkg-config --libs assimp) $(all_libs)

$(out)/libpsbench.a: $(library_objects) $(out)/objects.txt
	rm -f $@
	$(AR) rcs $@ $(filter %.o,$^)

$(out)/tests/unit/%: $(out)/tests/unit/%.o $(support_objects) $(tool_objects) $(out)/libpsbench.a
	$(CC) $(all_cflags) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(test_libs) \
	    $(all_libs)

# The program's own parts, but for main.
$(out)/tests/unit/test_cli: $(filter-out %/main.o,$(program_objects))

$(out)/tests/unit/test_hostile: $(out)/tests/fuzz/targets.o

$(out)/tests/fuzz/fuzz: $(out)/tests/fuzz/fuzz.o $(out)/tests/fuzz/targets.o $(out)/libpsbench.a
	$(CC) $(all_cflags) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(all_libs)

$(out)/examples/%: examples/%.c $(out)/libpsbench.a
	@mkdir -p $(@D)
	$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(all_libs)

$(out)/bench/bench: $(bench_parts) $(tool_objects) $(out)/libpsbench.a
	$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(all_libs)

$(out)/bench/compare $(out)/bench/stream: %: %.o $(out)/libpsbench.a
	$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(all_libs)

# A library that is preloaded into the program; plain in every configuration.
$(out)/tests/shim/%.so: tests/shim/%.c $(out)/compiler.txt
	@mkdir -p $(@D)
	$(CC) -std=c11 -D_GNU_SOURCE $(warnings) -O1 -fPIC -shared -o $@ $<

# Square roots and conditions in the splat's loops become vector instructions only where neither
# errno nor traps have to be right; the numbers stay what they are.
$(out)/src/fields/area_splat%.o: private all_cflags += -fno-math-errno -fno-trapping-math

# Tests see their own support folder as well.
$(out)/tests/%.o: private all_cflags += -Itests

# Nobody asks for errno after sqrt; without it, it is one instruction. Its value stays the same.
$(out)/src/distance/%.o: private all_cflags += -fno-math-errno

# Counts of an object's last version (config=coverage) would not fit the new one.
$(out)/%.o: %.c $(out)/compiler.txt
	@mkdir -p $(@D); rm -f $(@:.o=.gcda)
	$(CC) $(all_cflags) -MMD -MP -c -o $@ $<

# The report's style and script are data: each file becomes a C array, named
# after its path.
define embed
	@mkdir -p $(@D)
	scripts/embed.sh $< > $@
endef

$(out)/data/%.c: data/%.css scripts/embed.sh
	$(embed)

$(out)/data/%.c: data/%.js scripts/embed.sh
	$(embed)

$(out)/data/%.o: $(out)/data/%.c $(out)/compiler.txt
	$(CC) $(all_cflags) -c -o $@ $<

sources := $(wildcard src/*/*.[ch] tools/*.c tools/*/*.[ch] include/*.h tests/*/*.[ch] examples/*.c \
             bench/*.[ch])

format:
	clang-format -i $(sources)

lint:
	clang-format --dry-run --Werror $(sources)
	shellcheck .ci/run bench/compare bench/threads $(wildcard scripts/*.sh tests/*.sh)
	shellcheck -s bash -e SC2154 $(wildcard tests/cli/*.sh)

install: all
	install -d $(addprefix $(DESTDIR)$(PREFIX)/,bin lib/pkgconfig include)
	install -m 755 $(addprefix $(out)/,psbench $(import)) $(DESTDIR)$(PREFIX)/bin/
	install -m 644 $(out)/libpsbench.a $(DESTDIR)$(PREFIX)/lib/
	install -m 644 include/psbench.h $(DESTDIR)$(PREFIX)/include/
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@PACKAGES@|$(packages)|' \
	    -e "s|@VERSION@|$$(sed -n 's/^#define PSB_VERSION "\(.*\)"/\1/p' include/psbench.h)|" \
	    scripts/psbench.pc.in >$(DESTDIR)$(PREFIX)/lib/pkgconfig/psbench.pc

clean:
	rm -rf build

-include $(shell find $(out) -name '*.d' 2>/dev/null)
