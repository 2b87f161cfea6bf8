#!/usr/bin/env bash
# Publishes what release.sh made in build/release/ (or ACCORD_RELEASE):
#   scripts/packaging/publish.sh files            puts in order what the others publish
#   scripts/packaging/publish.sh containers NAME  pushes NAME:VERSION, :VERSION-pocl and :latest
#   scripts/packaging/publish.sh release          makes the release of the tag on GitHub (gh)
# `files` makes beside the release a folder publish/: files/, each with a name of its own and in
# SHA256SUMS; wheels/, which go to PyPI; bill.spdx.json; and notes.md, the section of the changelog.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
release=${ACCORD_RELEASE:-$build/release}
publish=$(dirname "$release")/publish
version=$(sed -n 's/^project(accord VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")

# take FILE NAME: a copy of a file of the release, under a name that no other has.
take() {
  [[ ! -e $publish/files/$2 ]] || die "two files of the release would be named $2"
  cp "$release/$1" "$publish/files/$2"
}

files() {
  local name
  [[ -f $release/SHA256SUMS ]] || die "no finished release is in $release: make it (release.sh)"
  (cd "$release" && sha256sum --quiet -c SHA256SUMS) || die "$release has other files than its sums"
  rm -rf "$publish"
  mkdir -p "$publish/files" "$publish/wheels"
  while read -r name; do
    case $name in
      SHA256SUMS | app/*) ;;
      bookworm/* | trixie/*) take "$name" "${name/\//-}" ;;  # packages of one name
      *) take "$name" "${name##*/}" ;;
    esac
  done < <(cd "$release" && find . -type f -printf '%P\n' | sort)
  if [[ -d $release/app ]]; then
    tar -C "$release" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 \
      --transform "s/^app/accord-$version-browser/" -c app | gzip -9n \
      >"$publish/files/accord-$version-browser.tar.gz"
  fi
  cp "$publish"/files/*.whl "$publish/wheels/"
  cp "$release/accord-$version.spdx.json" "$publish/bill.spdx.json"
  awk -v wanted="$version" '/^## / { inside = $2 == wanted; next } inside' "$root/CHANGELOG.md" \
    >"$publish/notes.md"
  [[ -s $publish/notes.md ]] || die "CHANGELOG.md has no section $version"
  (cd "$publish/files" && sha256sum -- * >"$publish/SHA256SUMS" && mv "$publish/SHA256SUMS" .)
  say "all that is published is in $publish"
}

containers() {
  local name=${1,,} tag  # registries know no capitals
  for tag in "$version" "$version-pocl"; do
    docker tag "accord:$tag" "$name:$tag"
    docker push "$name:$tag"
  done
  docker tag "accord:$version" "$name:latest"
  docker push "$name:latest"
}

case ${1:-} in
  files) files ;;
  containers) containers "${2:?the name of the container, such as ghcr.io/OWNER/accord}" ;;
  release)
    gh release create "v$version" --verify-tag --title "accord $version" \
      --notes-file "$publish/notes.md" "$publish"/files/*
    ;;
  *) die 'say what to do: files, containers NAME, or release' ;;
esac
