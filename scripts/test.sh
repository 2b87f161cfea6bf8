#!/usr/bin/env bash
# Installs what is missing, builds accord and its tests in build/, and runs every test:
#   scripts/test.sh [ctest options]
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

prepare test
status=0
# Compiled kernels stay in the build folder, so that a test run leaves nothing in the home folder.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$build/cache/pocl}
export ACCORD_CACHE_DIR=${ACCORD_CACHE_DIR:-$build/cache/accord}
mkdir -p "$POCL_CACHE_DIR" "$ACCORD_CACHE_DIR"
cd "$build"
ctest --output-on-failure --parallel "$(nproc)" "$@" || status=1
exit "$status"
