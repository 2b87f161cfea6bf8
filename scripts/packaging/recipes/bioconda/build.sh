#!/usr/bin/env bash
set -euo pipefail
# The program alone, without the static library.
# shellcheck disable=SC2086
cmake -S . -B build ${CMAKE_ARGS:-} -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_INSTALL_PREFIX="$PREFIX" -DACCORD_TESTS=OFF
cmake --build build --parallel "${CPU_COUNT:-1}"
cmake --install build --component program --strip
