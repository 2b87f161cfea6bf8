#!/usr/bin/env bash
# Installs missing packages, builds accord and its tests in build/, and runs them:
#   scripts/test.sh [ctest options]        what a change needs: unit, golden, cli and docs
#   scripts/test.sh all [ctest options]    every group
# ACCORD_TEST_GROUPS: names of groups, separated by commas, instead of these four.
# Lists at the end the skipped tests, with the reasons. Of all groups, fuzz gives the readers random
# bytes, for ACCORD_FUZZ_SECONDS each (10; 0 leaves that out), where clang is there.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [[ ${1:-} == all ]]; then
  shift
  export ACCORD_TEST_GROUPS=
else
  export ACCORD_TEST_GROUPS=${ACCORD_TEST_GROUPS:-unit,golden,cli,docs}
fi
prepare test
status=0
# What compilers leave stays in the build directory: a test run leaves nothing in the home folder.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$build/cache/pocl}
export ACCORD_CACHE_DIR=${ACCORD_CACHE_DIR:-$build/cache/accord}
mkdir -p "$POCL_CACHE_DIR" "$ACCORD_CACHE_DIR"
cd "$build"
ctest --output-on-failure --no-tests=error --parallel "$(nproc)" --output-junit results.xml \
  --test-output-size-passed 10000000 "$@" || status=1
"$root/scripts/checks/skips.py" "$build"
exit "$status"
