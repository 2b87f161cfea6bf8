#!/bin/bash
# bin/compile.sh of biowasm runs this in tools/accord/src, with its flags in EM_FLAGS. Needs apt
# with an archive of Debian, for the sources of the libraries that accord links.
set -euo pipefail

prefix=$PWD/build/prefix
apt-get install -y cmake ninja-build dpkg-dev libboost-dev opencl-clhpp-headers doctest-dev \
  libeigen3-dev gemmi-dev nlohmann-json3-dev libxxhash-dev tao-pegtl-dev
scripts/packaging/dependencies.sh "$PWD/cmake/emscripten.cmake" "$prefix"
# MAXIMUM_MEMORY and ABORTING_MALLOC: a family that is too large gives a message, not an abort.
cmake -G Ninja --toolchain cmake/emscripten.cmake -B build/biowasm -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_FIND_ROOT_PATH="$prefix" -DACCORD_PHYLOGENY=OFF -DACCORD_TESTS=OFF \
  -DCMAKE_EXE_LINKER_FLAGS="$EM_FLAGS -sMAXIMUM_MEMORY=4GB -sABORTING_MALLOC=0"
cmake --build build/biowasm --target accord
cp build/biowasm/accord.js build/biowasm/accord.wasm ../build/
