#!/usr/bin/env bash
# Makes a release from the committed tree, in build/release/, and says how to tag it:
#   scripts/packaging/release.sh [--complete] [PART...]
# Parts (all, in this order, if none is named; after a failure, name those that are left):
#   source      the committed tree; what was in the folder goes
#   bookworm    wheel, portable tarball and Debian packages, built in a bare Debian 12
#   trixie      wheel and Debian packages, built in a bare Debian 13, where tests run, too
#   use         these, used in bare systems that have no compiler
#   arm64       packages for 64-bit ARM, where an emulator can try them
#   windows     a zip, where Wine can try it
#   app         the page for browsers, where Chromium can try it
#   containers  where a Docker daemon answers
#   sums        a bill of materials, and checksums
# PART:again builds one of bookworm, trixie, arm64, windows and app once more, without the compiler
# cache, in build/release-again/: its files must have the bytes of the first.
# With --complete, a part that cannot be made here is an error, and is not left out.
# Systems need root and debootstrap. All takes two and a half hours on two slow cores, half of that
# if the compiler cache knows the objects.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/../checks/bare_system.sh"
cd "$root"
release=$build/release
complete=
if [[ ${1:-} == --complete ]]; then
  complete=yes
  shift
fi

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
tagged=$(git rev-parse -q --verify "v$version^{commit}" || true)
[[ -z $tagged || $tagged == $(git rev-parse HEAD) ]] ||
  die "there is a tag v$version of another commit already"

# left_out MESSAGE: for a part that cannot be made here.
left_out() {
  [[ -z $complete ]] || die "$1"
  say "$1"
}

make_source() {
  rm -rf "$release"
  mkdir -p "$release"
  git archive --prefix="accord-$version/" -o "$release/accord-$version.tar.gz" HEAD
  git rev-parse HEAD >"$build/release-commit"
}

# build_in SUITE: builds packages in a bare system. The portable tarball is that of the older one.
build_in() (
  bare_system "$1"
  say "$1: wheel, tarball and Debian packages"
  enter env "SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)" bash -c \
    'cd && cd accord && scripts/packaging/portable.sh && scripts/packaging/debian.sh' \
    </dev/null >"$build/release-$1.log" 2>&1 || die "$1: it failed (log: $build/release-$1.log)"
  mkdir -p "$release/$1"
  cp "$system"/root/accord/build/wheel/*.whl "$release"
  cp "$system"/root/accord/build/debian/*.deb "$release/$1"
  [[ $1 != bookworm ]] || cp "$system"/root/accord/build/portable/*.tar.gz "$release"
)

use() {
  local suite
  for suite in bookworm trixie; do scripts/checks/fresh_machine.sh "$suite" tarball wheel deb; done
}

# foreign FOLDER CHECK STEP...: what a check makes for another system or processor goes into a
# folder of its own, where no script takes it for a tarball of this one.
foreign() {
  local folder=$1 status=0
  shift
  "scripts/checks/$1" "${@:2}" || status=$?
  case $status in
    0)
      rm -rf "${release:?}/$folder"
      cp -r "$build/$folder" "$release"
      ;;
    77) left_out "nothing for $folder" ;;
    *) exit "$status" ;;
  esac
}

make_containers() {
  if ! docker version >/dev/null 2>&1; then
    left_out 'no Docker daemon answers: no containers'
    return
  fi
  rm -rf "$build/portable"
  mkdir -p "$build/portable/tree"
  tar -C "$build/portable/tree" -xf "$release"/accord-*-linux-*.tar.gz
  docker build -f scripts/packaging/Dockerfile --target small -t "accord:$version" .
  docker build -f scripts/packaging/Dockerfile -t "accord:$version-pocl" .
}

make_sums() {
  local sum
  # Written beside the folder, which must not list an unfinished bill.
  scripts/packaging/bill_of_materials.py "$release" >"$build/accord-$version.spdx.json"
  mv "$build/accord-$version.spdx.json" "$release"
  (cd "$release" && find . -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum) \
    >"$release/SHA256SUMS"
  cat "$release/SHA256SUMS"
  sum=$(sha256sum <"$release/accord-$version.tar.gz" | cut -d' ' -f1)
  say "the recipes: scripts/packaging/recipes.py --sha256 $sum (--help lists the other values)"
  say "all is in $release; the tag: git tag -s v$version -m 'accord $version'"
}

# make PART TEST: without its tests if TEST is empty.
make() {
  case $1 in
    source) make_source ;;
    bookworm) build_in bookworm ;;
    trixie)
      build_in trixie
      # CI has no time for these.
      [[ -z $2 ]] || scripts/checks/fresh_machine.sh trixie align test:golden,cli,install
      ;;
    use) use ;;
    arm64) foreign arm64 arm64.sh ${2:+test:golden} portable deb ;;
    windows) foreign windows windows.sh ${2:+test} zip ;;
    app) foreign app browser.sh page ${2:+biowasm} ;;
    containers) make_containers ;;
    sums) make_sums ;;
    *) die "unknown part $1" ;;
  esac
}

make_again() {
  local file first=$release
  local release=$build/release-again  # for what it calls, too
  rm -rf "$release"
  mkdir "$release"
  CCACHE_DISABLE=1 make "$1" ''
  find "$release" -type f -printf '%P\n' | sort >"$build/release-again.list"
  [[ -s $build/release-again.list ]] || die "$1 made no file"
  while read -r file; do
    cmp "$release/$file" "$first/$file" || die "$file has other bytes than the first build of it"
    say "$file: two builds, the same bytes"
  done <"$build/release-again.list"
}

parts=("$@")
[[ $# -gt 0 ]] || parts=(source bookworm trixie use arm64 windows app containers sums)
for part in "${parts[@]}"; do
  [[ $part == source || $(cat "$build/release-commit" 2>/dev/null) == $(git rev-parse HEAD) ]] ||
    die "$release is not of this commit: begin with the part source"
  say "release: $part"
  started=$SECONDS
  case $part in
    *:again) make_again "${part%:again}" ;;
    *) make "$part" test ;;
  esac
  say "release: $part is done after $((SECONDS - started)) s"
done
