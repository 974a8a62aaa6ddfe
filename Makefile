# Colline. On a fresh Debian 12, `make demo` and `make test` are all it takes.
#   make demo         installs what is missing, builds, shows the lineage of a sample warehouse and streams a day of its logs
#   make test         installs what is missing, builds, runs the tests
#   make build        build/colline and the library; `make deps` installs what that needs
#   make package      build-package/colline_VERSION_ARCH.deb
#   make install      under PREFIX (/usr/local), DESTDIR respected
#   make conformance  figures against the gold corpora, if they lie beside this tree
#   make bench        times, memory, growth; against other tools where these can be had
#   make bench-page   the data map with a large picture: first sight, frames a second, weight
#   make bench-pipeline  from lines of a log to events: rates, latency, memory, a real broker between
#   make chaos        the pipeline at full size while its parts are killed: what arrives, and whether it arrives once
#   make bench-store  SIZE=1/100: a generated warehouse, 1 is 200,000 tables: loading, questions, many clients, rates; PARTS="load questions" only some
BUILD       ?= build
PREFIX      ?= /usr/local
SIZE        ?= 1/100
PARTS       ?=
CMAKE_FLAGS ?=

CONFIGURE = cmake -G Ninja -S . -B $(BUILD) $(CMAKE_FLAGS)

.PHONY: build deps demo test bench bench-page bench-pipeline bench-store chaos conformance install package clean

build: $(BUILD)/build.ninja
	cmake --build $(BUILD)

# The tests need more than the program does, so they are left out until `make test` asks for them.
$(BUILD)/build.ninja:
	@command -v cmake ninja >/dev/null || { echo "What it takes to build is missing: make deps"; exit 1; }
	$(CONFIGURE) -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DCOLLINE_TESTS=OFF

deps:
	tools/deps build

demo: deps
	$(MAKE) build
	tools/demo $(BUILD)/colline

test:
	tools/deps build test
	$(CONFIGURE) -DCOLLINE_TESTS=ON
	cmake --build $(BUILD)
	cd $(BUILD) && ctest --output-on-failure -j $$(nproc)

conformance: build
	tools/conformance

bench: build
	bench/run

bench-page: build
	tools/deps page
	cd web && ./build --with-tests && node bench/page.mjs

bench-pipeline:
	tools/deps build services
	$(MAKE) build
	bench/pipeline/run --build $(BUILD)

chaos:
	tools/deps build test services
	$(CONFIGURE) -DCOLLINE_TESTS=ON
	cmake --build $(BUILD)
	tests/chaos/run --size full --build $(BUILD)

bench-store:
	tools/deps build test
	$(CONFIGURE) -DCOLLINE_TESTS=ON
	bench/store/run --build $(BUILD) --size $(SIZE) $(PARTS)

install: build
	$(CONFIGURE) -DCMAKE_INSTALL_PREFIX=$(PREFIX)
	cmake --build $(BUILD)
	cmake --install $(BUILD)

package:
	tools/deps build package
	packaging/build_deb build-package build-package

clean:
	rm -rf $(BUILD)
