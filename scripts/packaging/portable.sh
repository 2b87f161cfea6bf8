#!/usr/bin/env bash
# Packs the program for any Linux with this system's glibc or a newer one:
#   scripts/packaging/portable.sh [TOOLCHAIN]
#     build/portable/accord-VERSION-linux-MACHINE.tar.gz
# It is the program of the wheel, which is built first (wheel.sh); bin/accord runs from wherever the
# folder is unpacked, and finds lib/accord beside bin. TOOLCHAIN is a file of CMake for another
# processor, such as cmake/aarch64.cmake: then there is no wheel, and the libraries for that
# processor must be installed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/packaging/notices.sh
source "$(dirname "${BASH_SOURCE[0]}")/notices.sh"

if [[ $# -eq 0 ]]; then
  static=$build/static machine=$(uname -m)
  "$root/scripts/packaging/wheel.sh" >&2
else
  machine=$(sed -n 's/^set(CMAKE_SYSTEM_PROCESSOR \(.*\))/\1/p' "$1")
  static=$build/static-$machine
  mkdir -p "$static"
  werror=()  # as in lib.sh, so that both builds share the compiler cache
  [[ ${CI:-} != true ]] || werror=(-DACCORD_WERROR=ON)
  notices '' >"$static/THIRD-PARTY.txt"
  run_logged "$static/configure.log" cmake -G Ninja --toolchain "$1" -S "$root" -B "$static" \
    -DCMAKE_BUILD_TYPE=Release -DACCORD_TESTS=OFF -DACCORD_STATIC=ON \
    -DACCORD_NOTICES="$static/THIRD-PARTY.txt" "${werror[@]}" ||
    die "cmake could not configure the build (log: $static/configure.log)"
  run_logged "$static/build.log" cmake --build "$static" ||
    die "the build failed (log: $static/build.log)"
fi
version=$(sed -n 's/^project(accord VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
name=accord-$version-linux-$machine
rm -rf "$build/portable"
run_logged "$build/portable.log" cmake --install "$static" --component program --strip \
  --prefix "$build/portable/tree/$name" || die "not installed (log: $build/portable.log)"
tar -C "$build/portable/tree" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@${SOURCE_DATE_EPOCH:-$(date +%s)}" -czf "$build/portable/$name.tar.gz" "$name"
ls "$build/portable/$name.tar.gz"
