#!/usr/bin/env bash
# Untested: nobody has built this recipe yet.
set -euo pipefail
# shellcheck disable=SC2086
cmake -S . -B build ${CMAKE_ARGS:-} -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_INSTALL_PREFIX="$PREFIX" -DACCORD_TESTS=OFF
cmake --build build -j "${CPU_COUNT:-1}"
cmake --install build
