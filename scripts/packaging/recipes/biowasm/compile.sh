#!/bin/bash
# Compiles accord to ../build/accord.js and accord.wasm. bin/compile.sh of biowasm runs it in the
# folder of the source, with the options of the linker in EM_FLAGS. One thread computes. Libraries
# are compiled from the source packages of the system, Debian 12 or Ubuntu 22.04.
set -euo pipefail
# shellcheck source=/dev/null
source scripts/lib.sh
mkdir -p build
# shellcheck disable=SC2154  # build_packages is that of lib.sh
apt_install dpkg-dev doctest-dev "${build_packages[@]}"
scripts/packaging/dependencies.sh cmake/emscripten.cmake "$PWD/build/prefix"
# accord brings zlib. The port of Emscripten would be a second one.
cmake -G Ninja --toolchain cmake/emscripten.cmake -B build/biowasm -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_FIND_ROOT_PATH="$PWD/build/prefix" -DACCORD_PHYLOGENY=OFF -DACCORD_TESTS=OFF \
  -DCMAKE_EXE_LINKER_FLAGS="${EM_FLAGS/-s USE_ZLIB=1/} -sMAXIMUM_MEMORY=4GB -sABORTING_MALLOC=0"
cmake --build build/biowasm --target accord
cp build/biowasm/accord.js build/biowasm/accord.wasm ../build/
