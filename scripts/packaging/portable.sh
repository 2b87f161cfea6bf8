#!/usr/bin/env bash
# Packs the program for any Linux with this system's glibc or a newer one:
#   scripts/packaging/portable.sh [TOOLCHAIN]
#     build/portable/accord-VERSION-linux-MACHINE.tar.gz
# It is the program of the wheel, which is built first (wheel.sh, which says what TOOLCHAIN is);
# bin/accord runs from wherever the folder is unpacked, and finds lib/accord beside bin.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

static=$build/static machine=$(uname -m)
if [[ $# -gt 0 ]]; then
  machine=$(basename "$1" .cmake)
  static=$build/static-$machine
fi
"$root/scripts/packaging/wheel.sh" "$@" >&2
version=$(sed -n 's/^project(accord VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
name=accord-$version-linux-$machine
rm -rf "$build/portable"
run_logged "$build/portable.log" cmake --install "$static" --component program --strip \
  --prefix "$build/portable/tree/$name" || die "not installed (log: $build/portable.log)"
tar -C "$build/portable/tree" --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@${SOURCE_DATE_EPOCH:-$(date +%s)}" -czf "$build/portable/$name.tar.gz" "$name"
ls "$build/portable/$name.tar.gz"
