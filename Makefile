# The words that a person types, and the words that CI runs. What they do is in CMakeLists.txt and tools/; `make help` lists them.
MAKEFLAGS += --no-print-directory
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
DESTDIR ?=
PYTHON ?= python3
CLANG_FORMAT ?= $(shell command -v clang-format-14 || echo clang-format)
export DESTDIR

# Ninja where it is, make elsewhere, looked for when a recipe begins, since setup-test installs it; a folder that is configured keeps what it has.
GENERATOR = $(if $(CMAKE_GENERATOR),,$(shell command -v ninja >/dev/null 2>&1 && echo -G Ninja))
# A recipe word: configure and build the preset $(1), in folder $(2), the targets $(3).
define build
@cmake --preset $(1) $(if $(wildcard $(2)/CMakeCache.txt),,$(GENERATOR)) -Wno-dev $(QUIET)
@cmake --build $(2) -j $(JOBS) $(if $(3),--target $(3))
endef
QUIET := >/dev/null

SOURCES = $(shell find include src apps bench examples tests tools -name '*.[ch]' -o -name '*.cpp' | grep -v -e double_names.h | sort)

.PHONY: all setup setup-test setup-clients setup-bench demo test test-long test-clients fuzz fuzz-scenes coverage asan ubsan tsan msan double format check check-format \
        check-rooms check-words check-gl check-docs check-returns \
        check-names check-warnings names golden gallery lessons curves plots bench bench-keep bench-compare \
        bench-instructions bench-contract bench-bake bench-draw install \
        install-double clean help

all: ## build/pliant, optimised
	$(call build,release,build,pliant_cli)

setup: ## install what building needs (Debian 12)
	@tools/setup.sh build
setup-test:
	@tools/setup.sh build test
setup-clients:
	@tools/setup.sh build clients
setup-bench: ## and what the benchmark compares with
	@tools/setup.sh build bench

demo: setup ## install what building needs, build, simulate the default scene, write it to demo/
	$(call build,release,build,pliant_cli)
	@build/pliant demo

test: setup-test ## install what building and testing need, then run the tests, in float32 and float64
	$(call build,release,build)
	$(call build,double,build-double)
	@tools/run_tests.sh short build build-double

test-long: setup-test ## the tests that take minutes, other machines and windows among them
	@tools/setup.sh machines
	$(call build,release,build,all pliant_long_tests)
	$(call build,double,build-double,all pliant_long_tests)
	@tools/run_tests.sh long build build-double

fuzz: setup-test ## throw damaged input at every reader: FUZZ_SECONDS (600) each, two at a time; FUZZ="obj ply" for some
	$(call build,fuzz,build-fuzz,pliant_fuzz)
	@tools/fuzz.sh build-fuzz $(or $(FUZZ_SECONDS),600) $(FUZZ)

fuzz-scenes: setup-test ## draw scenes at random and try each against what holds for all: FUZZ_SECONDS (3600)
	$(call build,release,build,test_random_scenes pliant_cli)
	@tools/fuzz_scenes.sh build $(or $(FUZZ_SECONDS),3600)

test-clients: setup-clients ## what comes out, read by other programs: Blender and more
	$(call build,release,build,pliant_cli)
	@tools/run_clients.sh build

coverage: setup-test ## lines and branches of src/ that the tests reach, file by file, the worst first
	$(call build,coverage,build-coverage)
	@tools/coverage.sh build-coverage

asan ubsan tsan: setup-test ## the tests under a sanitizer of memory, of undefined behaviour, of threads
	$(call build,$@,build-$@)
	@tools/run_tests.sh most build-$@

msan: setup-test ## the core's tests under clang's sanitizer of uninitialised memory
	$(call build,msan,build-msan,pliant_core_tests)
	@tools/run_tests.sh most build-msan

double: setup-test ## the float64 library and command in build-double/, and their tests
	$(call build,double,build-double)
	@tools/run_tests.sh most build-double

format: ## lay the sources out
	@$(CLANG_FORMAT) -i $(SOURCES)

check: setup-test check-format check-rooms check-words check-gl check-docs check-returns check-names check-warnings ## layout, rooms, words of comments, docs and return values of the public headers, warnings
	@echo "check: good"
check-format:
	@$(CLANG_FORMAT) --dry-run -Werror $(SOURCES)
check-rooms:
	@$(PYTHON) tools/check_rooms.py
check-words:
	@$(PYTHON) tools/check_words.py
check-gl:
	@$(PYTHON) tools/check_gl.py
check-docs:
	@$(PYTHON) tools/check_docs.py
	@$(PYTHON) tools/constraint_pages.py --check
check-returns:
	@$(PYTHON) tools/check_returns.py
check-names:
	@$(PYTHON) tools/double_names.py --check
# With PLIANT_WERROR in the environment the tests' own builds have gcc's warnings as errors, and the same flags: they are not made twice.
check-warnings:
ifeq ($(PLIANT_WERROR),ON)
	$(call build,release,build,all pliant_long_tests)
	$(call build,double,build-double,all pliant_long_tests)
else
	$(call build,check-gcc,build-check-gcc,all pliant_long_tests)
	$(call build,check-gcc-double,build-check-gcc-double,all pliant_long_tests)
endif
	$(call build,check-clang,build-check-clang,all pliant_long_tests)
	$(call build,check-clang-double,build-check-clang-double,all pliant_long_tests)

names: ## write include/pliant/double_names.h again, after a change of the public headers
	@$(PYTHON) tools/double_names.py

golden: setup-test ## record the scenes' hashes anew, after a change that means to change results
	$(call build,release,build,pliant_cli)
	$(call build,double,build-double,pliant_cli)
	@tests/golden.sh

gallery: setup-test ## draw the pictures and films of docs/gallery.md anew; films of full size to build/gallery/
	$(call build,release,build,pliant_cli)
	@tools/gallery.sh

lessons: setup-test ## run the lessons of docs/lessons.md: their pictures and the numbers in their tables
	$(call build,release,build,pliant_cli)
	@$(PYTHON) tools/lessons.py

curves: setup ## measure the curves of docs/compare.md and docs/methods/ anew
	$(call build,release,build,pliant_cli)
	@tools/curves.sh

plots: setup ## measure the plots of docs/plots/ anew, what theory says beside them
	$(call build,double,build-double,pliant_cli)
	@PLIANT_BINARY=build-double/pliant $(PYTHON) tools/plots.py

bench: setup ## time the solver beside the machine's limits, and Bullet where that is; BENCH="--quick" passes options to pliant bench
	$(call build,release,build,pliant_benches)
	@bench/run.sh tables build $(BENCH)
	@build/pliant_bench --chains --csv build/chains.csv && build/pliant_bench --multigrid && build/pliant_bench --pile && build/pliant_bench --layers && build/pliant_bench --pools
	@build/pliant_bench_methods

bench-keep: setup ## the same figures, kept in bench/results/ as a run of this machine
	$(call build,release,build,pliant_benches)
	@bench/run.sh keep build $(BENCH)

bench-compare: setup ## what got slower than the last kept run of this machine, by more than the noise
	$(call build,release,build,pliant_benches)
	@bench/run.sh compare build $(BENCH)

bench-instructions: setup-test ## count instructions per constraint anew, and keep the figures that test_instructions compares with
	$(call build,release,build,pliant_cli)
	@bench/instructions.sh --keep build

bench-contract: setup ## the price of bit identity: the same build with contraction on, measured beside it
	$(call build,release,build,pliant_cli)
	$(call build,contract,build-contract,pliant_cli)
	@bench/contract.sh build build-contract $(BENCH)

bench-bake: setup ## what output costs: the share of a run of 100,000 vertices that writing each format takes
	$(call build,release,build,pliant_cli)
	@bench/bake.sh

bench-draw: setup ## what a picture costs, against a bare draw of the same buffers
	$(call build,release,build,pliant_bench_draw)
	@build/pliant_bench_draw

install: setup ## headers, libraries, command, pkg-config files and CMake package to PREFIX (default /usr/local), below DESTDIR
	$(call build,release,build)
	@cmake --install build --prefix $(PREFIX)
	@echo "pkg-config finds it with PKG_CONFIG_PATH=$(PREFIX)/lib/pkgconfig, CMake with CMAKE_PREFIX_PATH=$(PREFIX); the command is $(PREFIX)/bin/pliant"
install-double: setup ## the float64 library beside it
	$(call build,double,build-double)
	@cmake --install build-double --prefix $(PREFIX)

clean: ## remove everything that was built
	@rm -rf build build-* demo

help: ## this list
	@grep -hE '^[a-z -]+:.*## ' Makefile | sed -E 's/^([a-z -]+):.*## /\1|/' | awk -F'|' '{printf "make %-18s %s\n", $$1, $$2}'
