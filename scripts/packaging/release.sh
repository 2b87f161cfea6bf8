#!/usr/bin/env bash
# Makes all of a release from the committed tree, in build/release/, and says how to tag it:
#   scripts/packaging/release.sh
# Source, a wheel for each Python, the portable tarball, Debian packages for both systems, tarball
# and packages for 64-bit ARM (where an emulator can try them), a zip for Windows (where Wine can),
# the page for browsers (where Chromium can), a bill of materials, and checksums. All are built in bare systems
# (root and debootstrap; 40 minutes on two slow cores, 30 for each of ARM and Windows, 15 for the
# page, more if the compiler cache is empty), and tried in others that have no compiler. Containers
# are made where a Docker daemon answers.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/../checks/bare_system.sh"
cd "$root"
release=$build/release

# named FILE EXPRESSION: the version that a file names; EXPRESSION has it in \1.
named() { sed -nE "s/$2.*/\1/p" "$1" | head -n 1; }

version=$(named CMakeLists.txt 'project\(accord VERSION ([0-9.]+)')
while read -r file expression; do
  found=$(named "$file" "$expression")
  [[ $found == "$version" ]] || die "$file names version '$found', CMakeLists.txt $version"
done <<'END'
CHANGELOG.md ^## ([0-9.]+)
CITATION.cff ^version: ([0-9.]+)
scripts/packaging/debian/changelog ^accord \(([0-9.]+)\)
END
[[ -z $(git status --porcelain) ]] || die 'there is something that is not committed'
[[ -z $(git tag -l "v$version") ]] || die "there is a tag v$version already"

rm -rf "$release"
mkdir -p "$release"
git archive --prefix="accord-$version/" -o "$release/accord-$version.tar.gz" HEAD

# build_in SUITE: builds packages in a bare system. The portable tarball is that of the older one.
build_in() (
  bare_system "$1"
  say "$1: wheel, tarball and Debian packages"
  enter env "SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)" bash -c \
    'cd && cd accord && scripts/packaging/portable.sh && scripts/packaging/debian.sh' \
    </dev/null >"$build/release-$1.log" 2>&1 || die "$1: it failed (log: $build/release-$1.log)"
  mkdir "$release/$1"
  cp "$system"/root/accord/build/wheel/*.whl "$release"
  cp "$system"/root/accord/build/debian/*.deb "$release/$1"
  [[ $1 != bookworm ]] || cp "$system"/root/accord/build/portable/*.tar.gz "$release"
)
for suite in bookworm trixie; do build_in "$suite"; done
for suite in bookworm trixie; do scripts/checks/fresh_machine.sh "$suite" tarball wheel deb; done

# foreign FOLDER CHECK STEP...: what a check makes for another system or processor goes into a
# folder of its own, where no script takes it for a tarball of this one.
foreign() {
  local folder=$1 status=0
  shift
  "scripts/checks/$1" "${@:2}" || status=$?
  case $status in
    0) cp -r "$build/$folder" "$release" ;;
    77) say "nothing for $folder" ;;
    *) exit "$status" ;;
  esac
}
foreign arm64 arm64.sh test:golden tarball deb
foreign windows windows.sh test zip
foreign app browser.sh

if docker version >/dev/null 2>&1; then
  rm -rf "$build/portable"
  mkdir -p "$build/portable/tree"
  tar -C "$build/portable/tree" -xf "$release"/accord-*-linux-*.tar.gz
  docker build -f scripts/packaging/Dockerfile --target small -t "accord:$version" .
  docker build -f scripts/packaging/Dockerfile -t "accord:$version-pocl" .
else
  say 'no Docker daemon answers: no containers'
fi
# Written beside the folder, which must not list an unfinished bill.
scripts/packaging/bill_of_materials.py "$release" >"$build/accord-$version.spdx.json"
mv "$build/accord-$version.spdx.json" "$release"
(cd "$release" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum) \
  >"$release/SHA256SUMS"
cat "$release/SHA256SUMS"
sum=$(sha256sum <"$release/accord-$version.tar.gz" | cut -d' ' -f1)
say "the recipes: scripts/packaging/recipes.py --sha256 $sum (--help lists the other values)"
say "all is in $release; the tag: git tag -s v$version -m 'accord $version'"
