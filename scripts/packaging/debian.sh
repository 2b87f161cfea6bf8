#!/usr/bin/env bash
# Builds the Debian packages of the committed tree in build/debian:
#   scripts/packaging/debian.sh [dpkg-buildpackage options]
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

mkdir -p "$build"
command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null ||
  apt_install dpkg-dev debhelper fakeroot || die 'needs dpkg-dev, debhelper and fakeroot'
set_up build >&2
tree=$build/debian/accord
rm -rf "$tree"
mkdir -p "$tree"
git -C "$root" archive HEAD | tar -x -C "$tree"
cp -r "$root/scripts/packaging/debian" "$tree/debian"
cd "$tree"
dpkg-buildpackage -us -uc -b "$@"
ls "$build"/debian/*.deb
