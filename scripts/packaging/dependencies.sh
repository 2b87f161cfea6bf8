#!/usr/bin/env bash
# Compiles the libraries that accord links for another system, as static libraries with headers in
# one prefix:
#   scripts/packaging/dependencies.sh TOOLCHAIN PREFIX
# TOOLCHAIN is a file of CMake, such as cmake/mingw64.cmake; PREFIX is an absolute path. Sources are
# those of Debian's source packages, which stay in build/dependencies/. Libraries that are headers
# alone are those of this machine's packages (the packages of cmake/packages.tsv, doctest, too).
# Needs Debian 12 (or Ubuntu 22.04, where nobody has run it) with dpkg-dev, cmake, ninja and the
# compilers of the toolchain.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

[[ $# -eq 2 && -f $1 && $2 == /* ]] || die "usage: $0 TOOLCHAIN PREFIX (an absolute path)"
toolchain=$1 prefix=$2
work=$build/dependencies

# get_sources: from this machine's archive of Debian. The lists of apt are separate: those of the
# machine need not name sources, and stay as they are.
get_sources() {
  local apt system
  # shellcheck source=/dev/null
  system=$(source /etc/os-release && echo "${ID^}")  # Debian or Ubuntu
  apt=(apt-get -q -o APT::Sandbox::User=root
    -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$work/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache=)
  mkdir -p "$work/lists/partial" "$work/unpacked"
  # shellcheck disable=SC2016
  apt-get indextargets --format 'deb-src $(REPO_URI) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' "Origin: $system" >"$work/sources.list"
  "${apt[@]}" update && cd "$work/unpacked" &&
    "${apt[@]}" source zlib bzip2 xz-utils libzstd libsodium pugixml boost1.74 nlopt
}

mkdir -p "$work"
if [[ ! -d $work/sources ]]; then
  say 'getting sources of libraries'
  rm -rf "$work/unpacked"
  (run_logged "$work/sources.log" get_sources) ||
    die "no sources of libraries (log: $work/sources.log)"
  mv "$work/unpacked" "$work/sources"
fi
name=$(basename "$toolchain" .cmake)
say "compiling libraries ($name)"
run_logged "$work/$name.log" cmake -G Ninja --toolchain "$(realpath "$toolchain")" \
  -S "$root/cmake/dependencies" -B "$work/$name" -D SOURCES="$work/sources" \
  -D CMAKE_INSTALL_PREFIX="$prefix" ||
  die "cmake could not configure the libraries (log: $work/$name.log)"
run_logged "$work/$name.log" cmake --build "$work/$name" --target install ||
  die "the libraries could not be compiled (log: $work/$name.log)"
