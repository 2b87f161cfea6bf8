#!/usr/bin/env bash
# Runs groups of tests with everything compiled for sanitizers, with clang:
#   scripts/checks/sanitize.sh address|thread [GROUP...]
# address: AddressSanitizer with its search for leaks, and UndefinedBehaviorSanitizer.
# thread:  ThreadSanitizer; OpenMP tells it of its barriers through libarcher.
# GROUP:   of unit, oracle, property, backends, golden and cli (all; for thread without backends and
#          cli, where PoCL's threads, which are not compiled for it, would be accused).
# Needs clang with its runtime libraries and OpenMP (packages clang, libclang-rt-dev, libomp-dev).
# Not part of the tests: the tests take several times as long. Builds in build/sanitize_address or
# build/sanitize_thread. Ends with 1 if something was found (see GROUP.log there), and with 77 if
# there is no such clang.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

sanitizer=${1:-}
shift || true
case $sanitizer in
  address) groups=(unit oracle property backends golden cli) ;;
  thread) groups=(unit oracle property golden) ;;
  *) die "say which sanitizers: address or thread" ;;
esac
[[ $# -eq 0 ]] || groups=("$@")
place=$build/sanitize_$sanitizer
mkdir -p "$place"

clang++ -x c++ "-fsanitize=$sanitizer" -fopenmp - -o "$place/probe" 2>/dev/null \
  <<<$'#include <omp.h>\nint main() { return omp_get_thread_num(); }' || {
  say "needs clang with OpenMP and -fsanitize=$sanitizer; left out"
  exit 77
}
run_logged "$place/configure.log" cmake -S "$root" -B "$place" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE='-O1 -g1' -DCMAKE_CXX_COMPILER=clang++ \
  "-DACCORD_SANITIZE=$sanitizer" -G "${CMAKE_GENERATOR:-Ninja}" ||
  die "cmake could not configure the build (log: $place/configure.log)"
run_logged "$place/build.log" cmake --build "$place" --target accord_tests --parallel "$(nproc)" ||
  die "the build failed (log: $place/build.log)"

# What the OpenCL loader, PoCL, compilers, OpenMP and BEAGLE never give back is not accord's.
printf 'leak:%s\n' libOpenCL libpocl libLLVM libclang libomp libhmsbeagle beagle:: >"$place/leaks"
export LSAN_OPTIONS=suppressions=$place/leaks:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=ignore_noninstrumented_modules=1
export ACCORD_CACHE_DIR=$place/cache/accord POCL_CACHE_DIR=$place/cache/pocl
mkdir -p "$ACCORD_CACHE_DIR" "$POCL_CACHE_DIR"
status=0
for group in "${groups[@]}"; do
  if run_logged "$place/$group.log" \
    "$place/tests/accord_tests" "--source-file=*/tests/$group/*"; then
    say "$sanitizer: nothing found in $group"
  else
    say "$sanitizer: found something in $group (log: $place/$group.log)"
    status=1
  fi
done
exit "$status"
