#!/usr/bin/env bash
# Compiles and links accord for macOS, on ARM and on x86-64, with zig in a bare Debian 12:
#   scripts/checks/macos.sh [PROCESSOR...]
# A PROCESSOR is aarch64 or x86_64 (both, if none is named). Nothing is run: only a Mac could.
# Exits 77, with the reason, where that cannot be done. bare_system.sh says what a bare system
# needs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

processors=("$@")
[[ $# -gt 0 ]] || processors=(aarch64 x86_64)
bare_system bookworm
# shellcheck disable=SC2016
run_logged "$build/macos-packages.log" enter bash -euo pipefail -c '
  apt-get -q update
  apt-get -q install -y --no-install-recommends dpkg-dev doctest-dev file python3-venv "$@"
  python3 -m venv /root/python
  /root/python/bin/pip install ziglang==0.17.1' packages "${build_packages[@]}" ||
  die "zig could not be installed (log: $build/macos-packages.log)"
for processor in "${processors[@]}"; do
  started=$SECONDS
  # Few optimisations: nobody runs it. Tests are linked, too: they refer to all of the library.
  # shellcheck disable=SC2016
  run_logged "$build/macos-$processor.log" enter bash -euo pipefail -c '
    cd /root/accord
    PATH=$(echo /root/python/lib/python3*/site-packages/ziglang):$PATH
    scripts/packaging/dependencies.sh "cmake/macos-$1.cmake" "/root/prefix-$1"
    cmake -G Ninja --toolchain "cmake/macos-$1.cmake" -B "build/macos-$1" \
      -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" \
      -DCMAKE_PREFIX_PATH="/root/prefix-$1" -DACCORD_TEST_GROUPS=golden
    cmake --build "build/macos-$1" -- -k 0
    file "build/macos-$1/accord" | grep -q "Mach-O 64-bit"' build "$processor" ||
    die "the build for $processor failed (log: $build/macos-$processor.log)"
  say "macos: $processor compiled and linked in $((SECONDS - started)) s"
done
