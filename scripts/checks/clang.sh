#!/usr/bin/env bash
# Builds the library and the unit tests with clang, whose warnings are errors, runs these, and then
# clang-tidy (tidy.py):
#   scripts/checks/clang.sh [BUILD]      BUILD: builds in BUILD/clang (build)
# Each file is compiled by itself there, so that a header that it forgets is found. Loops run on
# threads of C++ there, and on those of OpenMP in all other builds.
# Exits 77, and says so, where there is no clang, or no time (skip_if_late).
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
place=${1:-$build}/clang

skip_if_late clang
mkdir -p "$place"
if ! clang++ -x c++ - -o "$place/probe" 2>/dev/null <<<'int main() {}'; then
  say 'SKIPPED clang: needs clang (Debian: clang)'
  exit 77
fi
run_logged "$place/configure.log" cmake -S "$root" -B "$place" -G "${CMAKE_GENERATOR:-Ninja}" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE='-O1 -DNDEBUG' \
  -DCMAKE_CXX_COMPILER=clang++ -DACCORD_WERROR=ON -DACCORD_OPENMP=OFF -DACCORD_UNITY=OFF \
  -DACCORD_TEST_GROUPS=unit ||
  die "cmake could not configure the build (log: $place/configure.log)"
run_logged "$place/build.log" cmake --build "$place" --target accord_tests --parallel "$(nproc)" ||
  die "the build failed (log: $place/build.log)"
"$place/tests/accord_tests" '--source-file=*/tests/unit/*'
"$root/scripts/checks/tidy.py" "$place" || [[ $? -eq 77 ]]
