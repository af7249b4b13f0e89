# Short names for the commands of CONTRIBUTING.md; the build itself is CMake's.
PRESET ?= dev
BUILD = build/$(PRESET)

.PHONY: all run test quick unit check format perf clean

all: $(BUILD)/build.ninja
	cmake --build $(BUILD)

$(BUILD)/build.ninja:
	cmake --preset $(PRESET)

run:
	./run

test:
	./test

quick:
	./test quick

unit: all
	ctest --test-dir $(BUILD) -L unit --output-on-failure

check:
	tools/check-all

format:
	find src tests tools -name '*.[ch]' -exec clang-format -i {} +

perf:
	./test perf

clean:
	rm -rf build
