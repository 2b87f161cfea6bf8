#!/usr/bin/env bash
# Gives random bytes to every reader, from the seeds in tests/fuzz/corpus, under AddressSanitizer
# and UndefinedBehaviorSanitizer, as many readers at a time as there are processors:
#   scripts/checks/fuzz.sh [SECONDS]      (ACCORD_FUZZ_SECONDS, else 10, per reader; needs clang)
# No seconds leave it out.
# ACCORD_FUZZ_JOBS=N: N readers at a time.
# The same commit is given the same bytes each time, so that a failure can be repeated and is not
# met by chance in an unrelated change; ACCORD_FUZZ_SEED=N (0: another each time) tries others.
# Builds in build/fuzz. Ends with 1 if something was found (it is kept there as crash-*), and with
# 77 if there is no clang with libFuzzer, or no time (skip_if_late).
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

seconds=${1:-${ACCORD_FUZZ_SECONDS:-10}}
seed=${ACCORD_FUZZ_SEED:-1}
jobs=${ACCORD_FUZZ_JOBS:-$(nproc)}
fuzz=$build/fuzz

has_fuzzer() {
  command -v clang++ >/dev/null &&
    clang++ -x c++ -fsanitize=fuzzer,address -fopenmp - -o /dev/null 2>/dev/null \
      <<<'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }'
}

# fuzz_one TARGET: new inputs go to another directory than the seeds.
fuzz_one() {
  local reader=${1##*/fuzz_}
  mkdir -p "$fuzz/corpus/$reader"
  run_logged "$fuzz/$reader.log" "$1" -max_total_time="$seconds" -seed="$seed" \
    -max_len=4096 -timeout=10 -rss_limit_mb=2048 -artifact_prefix="$fuzz/" \
    -print_final_stats=1 -verbosity=1 \
    "$fuzz/corpus/$reader" "$root/tests/fuzz/corpus/$reader"
  say "fuzz $reader: $(sed -n 's/^stat::number_of_executed_units: *//p' "$fuzz/$reader.log") inputs"
}

skip_if_late fuzz
[[ $seconds -gt 0 ]] || {
  say 'SKIPPED fuzz: ACCORD_FUZZ_SECONDS is 0'
  exit 77
}
has_fuzzer || {
  say 'SKIPPED fuzz: needs clang with libFuzzer and OpenMP (clang, libclang-rt-dev, libomp-dev)'
  exit 77
}
mkdir -p "$fuzz"
# With few optimisations: the sanitizers' checks take long to optimise, and inlining hides them.
run_logged "$fuzz/configure.log" cmake -S "$root" -B "$fuzz" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' -DCMAKE_CXX_COMPILER=clang++ -DACCORD_FUZZ=ON \
  -G "${CMAKE_GENERATOR:-Ninja}" ||
  die "cmake could not configure the fuzz targets (log: $fuzz/configure.log)"
run_logged "$fuzz/build.log" cmake --build "$fuzz" --target accord_fuzz --parallel "$(nproc)" ||
  die "the fuzz targets could not be built (log: $fuzz/build.log)"

export -f fuzz_one run_logged say
export fuzz root seconds seed
printf '%s\n' "$fuzz"/tests/fuzz_* | grep -v '\.' |
  xargs -P "$jobs" -I{} bash -euo pipefail -c 'fuzz_one {}' ||
  die "fuzzing found something: see $fuzz"
