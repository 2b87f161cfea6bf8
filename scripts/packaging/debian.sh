#!/usr/bin/env bash
# Builds the Debian packages of the committed tree in build/debian:
#   scripts/packaging/debian.sh [dpkg-buildpackage options]
# With --host-arch ARCHITECTURE the libraries of that architecture must be installed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

mkdir -p "$build"
packages=(build-essential debhelper fakeroot git)
# dpkg-query fails, and says nothing of its status, where it does not know a package.
status=$(dpkg-query -W -f '${db:Status-Status}\n' "${packages[@]}" 2>/dev/null) || status=unknown
if grep -qvx installed <<<"$status"; then
  apt_install "${packages[@]}" || die "needs ${packages[*]}"
fi
[[ $* == *--host-arch* ]] || set_up build >&2
tree=$build/debian/accord
rm -rf "$tree"
mkdir -p "$tree"
git -C "$root" archive HEAD | tar -x -C "$tree"
cp -r "$root/scripts/packaging/debian" "$tree/debian"
cd "$tree"
dpkg-buildpackage -us -uc -b "$@"
ls "$build"/debian/*.deb
