#!/usr/bin/env bash
# Installs missing packages, builds accord and its tests in build/, and runs every test:
#   scripts/test.sh [ctest options]
# ACCORD_TEST_GROUPS: names of groups, separated by commas; only these are built and run.
# Lists at the end the skipped tests, with the reasons. The readers are also given random bytes, for
# ACCORD_FUZZ_SECONDS each (10; 0 leaves that out), where clang is there.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# What compilers leave stays in the build directory: a test run leaves nothing in the home folder.
[[ -n ${CMAKE_CXX_COMPILER_LAUNCHER:-} ]] || export CCACHE_DIR=${CCACHE_DIR:-$build/cache/ccache}
prepare test
status=0
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$build/cache/pocl}
export ACCORD_CACHE_DIR=${ACCORD_CACHE_DIR:-$build/cache/accord}
mkdir -p "$POCL_CACHE_DIR" "$ACCORD_CACHE_DIR"
cd "$build"
ctest --output-on-failure --parallel "$(nproc)" --output-junit results.xml \
  --test-output-size-passed 10000000 "$@" || status=1
"$root/scripts/checks/skips.py" "$build"
exit "$status"
