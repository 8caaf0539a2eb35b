# psbench: one Makefile for the library, the program, the tests and the benchmarks.
#
#   make                     build/psbench, build/libpsbench.a and build/libpsbench.so (release)
#   make table4 [PSB=DIR]    set up, build, run the main job
#   make test                set up, build, run every test
#   make config=asan test    the same under a sanitizer; configurations: release portable debug
#                            clang asan ubsan tsan coverage, each in build/<config>/
#   make test-long           tests of clang's build and under sanitizers, and some minutes of
#                            fuzzing: what takes longer than `make test`
#   make memcheck            the command-line tests under valgrind
#   make fuzz SECONDS=60     fuzz everything that reads bytes, so long each (needs clang)
#   make bench [BENCH=FILE]  measure speed; PSB_DIR may name the folder of the PSB's models
#   make bench-variants      measure each variant of a loop over that for a lower set of instructions
#   make manual              manual pages and completion, in build/<config>/{man,completion}
#   make tools               build/<config>/psbench-vocabulary, which made data/vocabulary
#   make install PREFIX=DIR  program, libraries, header, manual, psbench.pc for pkg-config; DESTDIR=DIR goes
#                            before PREFIX, LIB=lib/x86_64-linux-gnu names another place for libraries
#   make uninstall PREFIX=DIR  takes them away again
#   make WITHOUT="assimp expat libarchive"  builds, or tests, without one of these or all, though it is installed
#   make dist                build/dist/psbench-*.tar.xz, which runs without root and without Debian
#   make wheel [PLAIN=1]     build/wheel/psbench-*.whl, the Python module, for pip: the same; PLAIN: for this
#                            machine's libraries
#
# V=1 shows the commands; WERROR=1 makes errors of warnings, as the tests of every commit do.

config ?= release
# make itself presets CC; only what the user says counts.
ifeq ($(origin CC),default)
CC := gcc
endif
ifneq ($(filter clang asan ubsan tsan fuzz,$(config)),)
# Clang finds other mistakes than gcc; its sanitizer of undefined behaviour looks at a place within an array
# when it is computed, too, not only when it is used. ThreadSanitizer knows OpenMP's synchronisation only through clang's libomp and its archer tool;
# libFuzzer is a part of clang.
CC := $(firstword $(shell command -v clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19))
ifeq ($(CC),)
$(error config=$(config) needs clang and libomp-dev)
endif
endif
ifeq ($(config),aarch64)
# The user's CFLAGS and pkg-config have to know where its libraries are: see tests/processors.sh.
CC := aarch64-linux-gnu-gcc
AR := aarch64-linux-gnu-ar
CXX := aarch64-linux-gnu-g++
endif
AR ?= ar
PREFIX ?= /usr/local
LIB ?= lib

# Libraries that are left out though they are there; set-up leaves them alone, too.
WITHOUT ?=
ifneq ($(filter-out assimp draco expat libarchive libseccomp,$(WITHOUT)),)
$(error WITHOUT=$(WITHOUT): only assimp, draco, expat, libarchive and libseccomp can be left out)
endif
export WITHOUT
has = $(if $(filter $(1),$(WITHOUT)),,$(shell pkg-config --exists $(1) 2>/dev/null && echo $(1)))

out := build/$(config)
packages := openblas lapacke fftw3 libcjson libxxhash cairo libpng zlib
# What reads the formats that psbench has no reader of its own for is built where assimp is.
# Sanitizers take more addresses than it may have.
import := $(if $(filter asan tsan fuzz,$(config)),,$(if $(call has,assimp),psbench-import))
seccomp := $(if $(import),$(call has,libseccomp))
# Draco is C++.
draco := $(if $(import),$(if $(shell command -v $(CXX) 2>/dev/null),$(call has,draco)))
# Archives of models are read where libarchive is. What libarchive itself is made from need not be
# installed for development, though its .pc says so: psbench.pc names the library alone.
archive := $(call has,libarchive)
packages += $(archive)
# 3MF and COLLADA are read where expat is.
xml := $(call has,expat)
packages += $(xml)
test_packages := cmocka

warnings := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
            -Wvla -Wformat=2 -Wundef -Wpointer-arith $(if $(filter 1,$(WERROR)),-Werror)
# What users run: mistakes in bounds end it instead of being used, and addresses are not guessed. One
# set of objects for the program and both libraries; what a file calls of its own stays inlined.
shareable := -fPIC -fno-semantic-interposition
harden := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong $(shareable)
ldflags_release := -pie -Wl,-z,relro,-z,now
cflags_release  := -O3 -g $(harden)
# What processors run that have nothing beyond the least of their kind.
cflags_portable := $(cflags_release) -DPSB_PORTABLE
ldflags_portable := $(ldflags_release)
cflags_clang    := $(cflags_release)
ldflags_clang   := $(ldflags_release)
cflags_aarch64  := $(cflags_release)
ldflags_aarch64 := $(ldflags_release)
# Unit programs load all objects as a shared library, so these are for any address, too.
cflags_debug    := -O0 -g3 $(shareable)
# Addresses and undefined behaviour together: one build and one run of the tests for both.
cflags_asan     := -O1 -g -fsanitize=address,undefined,float-divide-by-zero,float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer $(shareable)
cflags_ubsan    := -O1 -g -fsanitize=undefined,float-divide-by-zero,float-cast-overflow -fno-sanitize-recover=all $(shareable)
cflags_tsan     := -O1 -g -fsanitize=thread $(shareable)
cflags_coverage := -O0 -g --coverage $(shareable)
cflags_fuzz     := -O1 -g -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all
ifeq ($(cflags_$(config)),)
$(error unknown config=$(config): release, portable, aarch64, debug, clang, asan, ubsan, tsan or coverage)
endif

# Raised when a program that was linked with the last release would no longer work.
soname := libpsbench.so.0
# Only of objects for any address, as users get them.
shared := $(if $(ldflags_$(config)),$(soname) libpsbench.so)

CFLAGS ?=
# Asks pkg-config once, when the first recipe needs it: `make test` sets up before that.
ask = $(if $(shell pkg-config --exists $(2) 2>/dev/null && echo yes),$(shell pkg-config $(1) $(2)),\
      $(error not all of $(2) are installed: run `make setup`))
package_cflags = $(eval package_cflags := $(call ask,--cflags,$(packages)))$(package_cflags)
package_libs = $(eval package_libs := $(call ask,--libs,$(packages)))$(package_libs)
test_libs = $(eval test_libs := $(call ask,--libs,$(test_packages)))$(test_libs)
# GCC 10 stops with an error of its own where it follows vectors of src/distance/emd.c for a debugger.
untracked := $(if $(filter 10 10.%,$(shell $(CC) -dumpversion 2>/dev/null)),-fno-var-tracking-assignments)
# Results must not depend on what the compiler may contract or reorder.
# Nobody asks for errno or traps of arithmetic; without them roots and choices become vector instructions.
all_cflags = -std=c11 -D_GNU_SOURCE -Iinclude -Isrc -Itools -fopenmp -ffp-contract=off $(warnings) \
             -fno-math-errno -fno-trapping-math $(untracked) \
             $(if $(archive),-DPSB_LIBARCHIVE) $(if $(xml),-DPSB_EXPAT) $(cflags_$(config)) $(package_cflags) $(CFLAGS)
# dladdr has a library of its own before glibc 2.34.
all_libs = $(ldflags_$(config)) $(package_libs) -lm -ldl

# A line for each file that is made, where neither V=1 nor -s says otherwise.
say = $(if $(filter 1,$(V)),,@$(if $(findstring s,$(firstword -$(MAKEFLAGS))),,echo '  $(1)  $@';))

# Kernels are compiled once for each set of instructions (src/core/cpu.h).
sets := plain $(if $(filter portable,$(config)),,$(if $(filter x86_64%,$(shell $(CC) -dumpmachine 2>/dev/null)),avx2 avx512))
flags_avx2 := -mavx2 -mbmi -mbmi2 -mpopcnt
flags_avx512 := $(flags_avx2) -mavx512f -mavx512bw
kernel_sources := $(wildcard src/*/*_kernel.c)
# Those that AVX-512 does not make faster (make bench-variants).
kernels_to_avx2 := src/lightfield/metric_kernel.c src/render/span_kernel.c
kernels_of = $(if $(filter avx512,$(1)),$(filter-out $(kernels_to_avx2),$(kernel_sources)),$(kernel_sources))
library_sources := $(filter-out src/cli/% $(kernel_sources),$(wildcard src/*/*.c))
program_sources := $(wildcard src/cli/*.c)
# What makes the generated benchmark: linked into the program, no part of the library.
tool_sources := $(wildcard tools/*/*.c)
data_files := $(wildcard data/*/*.css data/*/*.js data/*/*.words)
data_sources := $(addprefix $(out)/,$(addsuffix .c,$(basename $(data_files))))
library_objects := $(library_sources:%.c=$(out)/%.o) \
                   $(foreach set,$(sets),$(patsubst %.c,$(out)/%.$(set).o,$(call kernels_of,$(set)))) $(data_sources:.c=.o) $(out)/data/code.o
program_objects := $(program_sources:%.c=$(out)/%.o)
tool_objects := $(tool_sources:%.c=$(out)/%.o)
unit_sources := $(wildcard tests/unit/test_*.c)
unit_programs := $(unit_sources:%.c=$(out)/%)
support_objects := $(patsubst %.c,$(out)/%.o,$(wildcard tests/support/*.c)) $(out)/tests/fuzz/targets.o
# What unit programs call: the library with all of its names, the generated benchmark, the tests' own helpers.
tested_objects := $(library_objects) $(tool_objects) $(support_objects)

headers := include/psbench.h include/psbench_runs.h
# Those that are written by hand, and those of commands.
written := $(patsubst man/%,$(out)/man/%,$(wildcard man/*))
# A command of several words has hyphens between them, its file underscores.
commands := $(patsubst %,$(out)/man/psbench-%.1,$(subst _,-,$(patsubst src/cli/cmd_%.c,%,$(wildcard src/cli/cmd_*.c))))
manuals := $(out)/man/psbench.1 $(commands) $(written)
completions := $(addprefix $(out)/completion/,bash zsh)

.DEFAULT_GOAL := all
.PHONY: all setup table4 test test-long unit-tests manual tools examples bench bench-programs bench-variants memcheck fuzz format lint \
        install uninstall packages wheel clean always
.DELETE_ON_ERROR:
.SECONDARY:

made := psbench libpsbench.a $(shared) $(import)
# The program looks for psbench-import beside it: that of an earlier build must not stay. Nor must an
# earlier build's objects of kernels that have none now: tests/run.sh would take them for outdated ones.
all: $(addprefix $(out)/,$(made))
	$(if $(import),,@rm -f $(out)/psbench-import$(if $(filter release,$(config)), build/psbench-import))
	@rm -f $(kernels_to_avx2:%.c=$(out)/%.avx512.o) $(kernels_to_avx2:%.c=$(out)/%.avx512.d)
ifeq ($(config),release)
all: $(addprefix build/,$(made))

$(addprefix build/,$(made)): build/%: $(out)/%
	$(call say,CP  )cp -d $< $@
endif

# Set-up may install what pkg-config will be asked for, so the build is a second make.
setup:
	@CC='$(CC)' scripts/setup.sh

table4: setup
	@$(MAKE) --no-print-directory all
	@$(out)/psbench table4 $(if $(PSB),--psb '$(PSB)' --skip-missing) $(if $(RUN),-o '$(RUN)')

test: setup
	@$(MAKE) --no-print-directory all manual unit-tests examples bench-programs
	@tests/run.sh $(out)

# Installs clang and valgrind, too.
test-long:
	@scripts/setup.sh --ci
	@tests/long.sh

unit-tests: $(out)/psbench-vocabulary $(unit_programs) $(out)/tests/shim/fault.so $(out)/tests/shim/once.so $(out)/tests/shim/refuse.so $(out)/tests/shim/libraries.so $(out)/tests/box/escape
# Pages of commands that are gone must not stay.
manual: $(manuals) $(completions)
	@rm -f $(filter-out $(manuals),$(wildcard $(out)/man/*.1))
tools: $(out)/psbench-vocabulary
examples: $(patsubst %.c,$(out)/%,$(wildcard examples/*.c))

# BENCH: the file for the figures, for bench/compare.
BENCH ?= build/bench.json
bench_parts := $(filter-out %/compare.o %/stream.o %/variants.o,$(patsubst %.c,$(out)/%.o,$(wildcard bench/*.c)))
bench_programs := $(out)/bench/bench $(out)/bench/compare $(out)/bench/stream
bench-programs: $(bench_programs)
bench: bench-programs
	@mkdir -p '$(dir $(BENCH))'
	@$(out)/bench/bench '$(BENCH)'

# Every list of variants, under each set of instructions.
lists = $(shell sed -nE -e 's/.*psb_cpu_choose\((psb_[a-z0-9_]*)\).*/\1/p' -e 's/.*PSB_RUN\((psb_[a-z0-9_]*)\).*/\1_kernels/p' src/*/*.c | sort -u)
bench-variants: $(out)/bench/variants
	@$< $(lists)

$(out)/bench/variants: $(addprefix $(out)/bench/,variants.o models.o measure.o) $(tool_objects) $(out)/libpsbench.a
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -Wl,--wrap=psb_cpu_choose -rdynamic -o $@ $^ $(all_libs)

memcheck: setup
	@$(MAKE) --no-print-directory all examples bench-programs
	@tests/run.sh $(out) --memcheck

SECONDS ?= 60
fuzz:
	@$(MAKE) -s --no-print-directory config=fuzz build/fuzz/tests/fuzz/fuzz
	@scripts/fuzz.sh build/fuzz/tests/fuzz/fuzz $(SECONDS)

# Files that change when the list of objects or the command that compiles them does, so that a
# source file that goes, or another CC or CFLAGS, is noticed like any other change. WERROR changes no object.
remember = @mkdir -p $(@D); echo '$(1)' | cmp -s - $@ || echo '$(1)' > $@

$(out)/objects.txt: always
	$(call remember,$(program_objects) $(tested_objects))

$(out)/compiler.txt: always
	$(call remember,$(CC) $(filter-out -Werror,$(all_cflags)) $(LDFLAGS))

$(out)/psbench: $(program_objects) $(tool_objects) $(out)/libpsbench.a $(out)/objects.txt
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -o $@ $(filter-out %.txt,$^) $(all_libs)

# Without OpenMP: clang's runtime writes a file when it starts, which this program may not.
$(out)/psbench-import: $(addprefix $(out)/tools/,psbench-import.o import-box.o $(if $(draco),import-draco.o)) $(out)/libpsbench.a
	$(call say,LINK)$(CC) $(filter-out -fopenmp,$(all_cflags)) $(LDFLAGS) -o $@ $^ \
	    $(shell pkg-config --libs assimp $(seccomp) $(draco)) $(if $(draco),-lstdc++) -Wl,--as-needed $(all_libs)

$(out)/tools/psbench-import.o: private all_cflags += $(if $(draco),-DPSB_DRACO)

$(out)/tools/import-draco.o: tools/import-draco.cc tools/import-draco.h $(out)/compiler.txt
	@mkdir -p $(@D)
	$(call say,CXX )$(CXX) -std=c++17 -O2 -g -Wall -Wextra $(if $(filter 1,$(WERROR)),-Werror) -fstack-protector-strong \
	    -fPIC $(shell pkg-config --cflags draco) $(CXXFLAGS) -c -o $@ $<

# What a model could do that takes psbench-import over.
$(out)/tests/box/escape: $(out)/tests/box/escape.o $(out)/tools/import-box.o $(out)/libpsbench.a
	$(call say,LINK)$(CC) $(filter-out -fopenmp,$(all_cflags)) $(LDFLAGS) -o $@ $^ \
	    $(if $(seccomp),$(shell pkg-config --libs $(seccomp))) -Wl,--as-needed $(all_libs)

$(out)/tools/import-box.o: private all_cflags += \
    $(if $(seccomp),-DPSB_SECCOMP $(shell pkg-config --cflags $(seccomp)))


$(out)/libpsbench.a: $(library_objects) $(out)/objects.txt
	@rm -f $@
	$(call say,AR  )$(AR) rcs $@ $(filter %.o,$^)

# Exports what the headers declare, and nothing else.
$(out)/psbench.map: $(headers) scripts/exports.sh
	@mkdir -p $(@D)
	$(call say,MAP )scripts/exports.sh $(headers) >$@

$(out)/$(soname): $(library_objects) $(out)/psbench.map $(out)/objects.txt
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -shared -Wl,-soname,$(@F),--version-script,$(out)/psbench.map \
	    -o $@ $(filter %.o,$^) -Wl,-z,defs,--as-needed $(filter-out -pie,$(all_libs))

$(out)/libpsbench.so: $(out)/$(soname)
	@ln -sf $(<F) $@

# Unit programs load what they test as one library, which they find one folder up from where they are:
# after an edit that library is linked again and the programs are not.
$(out)/tests/libtested.so: $(tested_objects) $(out)/objects.txt
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -shared -Wl,-soname,$(@F) -o $@ $(filter %.o,$^) \
	    $(filter-out -pie,$(all_libs))

$(out)/tests/unit/%: $(out)/tests/unit/%.o $(out)/objects.txt | $(out)/tests/libtested.so
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -o $@ $(filter %.o,$^) $(out)/tests/libtested.so \
	    '-Wl,-rpath,$$ORIGIN/..' $(test_libs) $(all_libs)

# The program's own parts, but for main; one of them runs before the libraries do, which no library can.
$(out)/tests/unit/test_cli: $(filter-out %/main.o,$(program_objects))

$(out)/tests/fuzz/fuzz: $(addprefix $(out)/tests/,fuzz/fuzz.o fuzz/targets.o support/zip.o) $(out)/libpsbench.a
	$(call say,LINK)$(CC) $(all_cflags) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(all_libs)

$(out)/examples/%: examples/%.c $(out)/libpsbench.a
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(all_libs)

$(out)/bench/bench: $(bench_parts) $(tool_objects) $(out)/libpsbench.a
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(all_libs)

$(out)/bench/compare $(out)/bench/stream: %: %.o $(out)/libpsbench.a
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(all_libs)

# What talks about the program: from its own tables.
$(out)/psbench-manual: $(out)/tools/psbench-manual.o $(filter-out %/main.o,$(program_objects)) \
                       $(tool_objects) $(out)/libpsbench.a
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(all_libs)

# What made data/vocabulary.
$(out)/psbench-vocabulary: $(addprefix $(out)/tools/,psbench-vocabulary.o vocabulary-learn.o) $(out)/libpsbench.a
	$(call say,LINK)$(CC) $(all_cflags) $(LDFLAGS) -o $@ $^ $(all_libs)

$(out)/man/psbench.1: $(out)/psbench-manual
	@mkdir -p $(@D)
	$(call say,MAN )$< >$@

$(commands): $(out)/man/psbench-%.1: $(out)/psbench-manual
	@mkdir -p $(@D)
	$(call say,MAN )$< $* >$@

$(written): $(out)/man/%: man/% include/psbench.h
	@mkdir -p $(@D)
	$(call say,MAN )sed 's|@VERSION@|$(version)|' $< >$@

$(out)/completion.tsv: $(out)/psbench-manual
	$(call say,MAN )$< --completion >$@

# The function that prints the table, behind what uses it.
$(out)/completion/%: scripts/completion.% $(out)/completion.tsv
	@mkdir -p $(@D)
	$(call say,MAN ){ cat $<; echo '_psbench_table() {'; echo "    cat <<'END'"; cat $(out)/completion.tsv; \
	    echo END; echo '}'; $(if $(filter zsh,$*),echo '_psbench "$$@"';) } >$@

# A library that is preloaded into the program; plain in every configuration.
$(out)/tests/shim/%.so: tests/shim/%.c $(out)/compiler.txt
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) -std=c11 -D_GNU_SOURCE $(warnings) -O1 -fPIC -shared -o $@ $<

# Tests see their own support folder as well. Vectors would be lost on them, and gcc 12 for aarch64 fails
# to make some.
$(out)/tests/%.o: private all_cflags += -Itests -fno-tree-vectorize

# Counts of an object's last version (config=coverage) would not fit the new one.
ifeq ($(config),fuzz)
# The fuzzer learns from comparisons how to get past those of a reader. Those of pixels and voxels would teach
# it nothing and take two thirds of its time.
$(foreach room,fields local lightfield descriptors distance,$(out)/src/$(room)/%.o): private all_cflags += \
	-fno-sanitize-coverage=trace-cmp
endif

$(out)/%.o: %.c $(out)/compiler.txt
	@mkdir -p $(@D); rm -f $(@:.o=.gcda)
	$(call say,CC  )$(CC) $(all_cflags) -MMD -MP -c -o $@ $<

define for_set
$(out)/%_kernel.$(1).o: %_kernel.c $(out)/compiler.txt
	@mkdir -p $$(@D); rm -f $$(@:.o=.gcda)
	$$(call say,CC  )$$(CC) $$(all_cflags) $$(flags_$(1)) -DPSB_SET=$(1) -MMD -MP -c -o $$@ $$<
endef
$(foreach set,$(sets),$(eval $(call for_set,$(set))))

# The report's style and script are data: each file becomes a C array, named
# after its path.
define embed
	@mkdir -p $(@D)
	$(call say,DATA)scripts/embed.sh $< > $@
endef

$(out)/data/%.c: data/%.css scripts/embed.sh
	$(embed)

$(out)/data/%.c: data/%.js scripts/embed.sh
	$(embed)

$(out)/data/%.c: data/%.words scripts/embed.sh
	$(embed)

# Pages that other sources made are not known by their key.
$(out)/data/code.c: $(library_sources) $(kernel_sources) $(wildcard src/*/*.h) $(headers) $(data_files)
	@mkdir -p $(@D)
	$(call say,DATA)echo "extern const char psb_data_code[]; const char psb_data_code[] = \"$$(cat $(sort $^) | cksum)\";" > $@

$(out)/data/%.o: $(out)/data/%.c $(out)/compiler.txt
	$(call say,CC  )$(CC) $(all_cflags) -c -o $@ $<

sources := $(wildcard src/*/*.[ch] tools/*.c tools/*/*.[ch] include/*.h tests/*/*.[ch] examples/*.c \
             bench/*.[ch])

format:
	clang-format -i $(sources)

lint:
	clang-format --dry-run --Werror $(sources)
	shellcheck .ci/run bench/compare bench/pairs bench/threads $(wildcard scripts/*.sh tests/*.sh)
	shellcheck -s bash -e SC2154 $(wildcard tests/cli/*.sh)

# Where things go, below DESTDIR and PREFIX.
root = $(DESTDIR)$(PREFIX)
programs := $(addprefix bin/,psbench $(import))
libraries := $(addprefix $(LIB)/,libpsbench.a $(shared))
pages := $(foreach page,$(notdir $(manuals)),share/man/man$(subst .,,$(suffix $(page)))/$(page))
# In bash and in zsh a completion's file has the name that they look for.
bash_completion := share/bash-completion/completions/psbench
zsh_completion := share/zsh/site-functions/_psbench
version := $(shell sed -n 's/^\#define PSB_VERSION "\(.*\)"/\1/p' include/psbench.h)

install: all manual
	install -d $(addprefix $(root)/,bin $(LIB)/pkgconfig include $(sort $(dir $(pages))))
	install -m 755 $(addprefix $(out)/,$(notdir $(programs))) $(root)/bin/
	cp -d $(addprefix $(out)/,$(notdir $(libraries))) $(root)/$(LIB)/
	install -m 644 $(headers) $(root)/include/
	for page in $(pages); do install -m 644 $(out)/man/$${page##*/} $(root)/$$page || exit; done
	install -D -m 644 $(out)/completion/bash $(root)/$(bash_completion)
	install -D -m 644 $(out)/completion/zsh $(root)/$(zsh_completion)
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIB@|$(LIB)|' -e 's|@PACKAGES@|$(filter-out $(archive),$(packages))|' \
	    -e 's|@ARCHIVE@|$(if $(archive), -larchive)|' -e 's|@VERSION@|$(version)|' scripts/psbench.pc.in >$(root)/$(LIB)/pkgconfig/psbench.pc

# What psbench.pc names, as pkg-config calls it: for what depends on all of it.
packages:
	@echo $(packages)

uninstall:
	rm -f $(addprefix $(root)/,$(programs) $(libraries) $(headers) $(LIB)/pkgconfig/psbench.pc \
	    $(pages) $(bash_completion) $(zsh_completion))

# Files that bring their libraries along, compiled in an old Debian (as root, with mmdebstrap).
dist:
	@scripts/dist.sh tarball

# The Python module as such a file; PLAIN=1: with this build's library alone, for this machine.
PYTHON ?= python3
ifeq ($(PLAIN),)
wheel:
	@PYTHON='$(PYTHON)' scripts/dist.sh wheel
else
wheel: $(out)/libpsbench.so.0 $(addprefix $(out)/,$(import))
	@rm -rf $(out)/wheel && mkdir -p $(out)/wheel/licenses
	@cp -r python/psbench $(out)/wheel/ && cp $^ $(out)/wheel/psbench/ && cp LICENSE $(out)/wheel/licenses/
	$(call say,WHL )$(PYTHON) scripts/wheel.py linux_$(shell uname -m) build/wheel $(addprefix $(out)/wheel/,psbench licenses)
endif

clean:
	rm -rf build

-include $(shell find $(out) -name '*.d' 2>/dev/null)
