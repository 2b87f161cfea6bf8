#!/usr/bin/env bash
# Builds accord for 64-bit Windows with the cross-compiler of a bare Debian 12, and runs it there in
# Wine:
#   scripts/checks/windows.sh [STEP...]
# Steps (all, in this order, if none is named):
#   test  the groups unit and golden (which runs the kernels of every instruction set that the
#         processor has), and the program: bytes on stdout, packed files, paths, an error
#   zip   the program with the licences of what it holds, in build/windows/; it gives
#         datasets/example.aln in a system that has Wine, and no compiler
# The program has no phylogeny: the licence of NLopt, the LGPL, asks that users can replace it, and
# all libraries are linked in.
# Exits 77, with the reason, where that cannot be done. bare_system.sh says what a bare system
# needs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

# windows_system PACKAGE...: a bare system with Wine, and packages.
windows_system() {
  bare_system bookworm
  run_logged "$build/windows-packages.log" enter bash -c \
    'apt-get -q update && apt-get -q install -y --no-install-recommends wine wine64 locales "$@" &&
      localedef -i en_US -f UTF-8 en_US.UTF-8' \
    packages "$@" || die "no packages for Windows (log: $build/windows-packages.log)"
  run_logged "$build/windows-wine.log" enter env WINEDEBUG=-all timeout 300 wine wineboot --init ||
    cannot "Wine does not start (log: $build/windows-wine.log)"
}

# windows_build OPTION...: compiles libraries and accord, in /root/accord/build/windows.
windows_build() {
  windows_system g++-mingw-w64-x86-64-posix dpkg-dev doctest-dev zip "${build_packages[@]}"
  # shellcheck disable=SC2016
  run_logged "$build/windows-build.log" enter bash -euo pipefail -c '
    cd /root/accord
    scripts/packaging/dependencies.sh cmake/mingw64.cmake /root/prefix
    cmake -G Ninja --toolchain cmake/mingw64.cmake -B build/windows -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_PREFIX_PATH=/root/prefix -DACCORD_PHYLOGENY=OFF "$@"
    cmake --build build/windows' build "$@" ||
    die "the build failed (log: $build/windows-build.log)"
  say "windows: built in $((SECONDS - started)) s"
}

# in_wine SCRIPT: runs bash in the clone, where accord is the program. In the locales C and C.UTF-8
# Wine finds no file whose name is not ASCII. A program that hangs is ended, and fails.
in_wine() {
  enter env WINEDEBUG=-all LC_ALL=en_US.UTF-8 bash -euo pipefail -c "
    cd /root/accord
    tests() { timeout 3600 wine build/windows/tests/accord_tests.exe \"\$@\"; }
    accord() { timeout 600 wine build/windows/accord.exe \"\$@\"; }
    $1" </dev/null
}

test_program() {
  windows_build '-DACCORD_TEST_GROUPS=unit;golden'
  local group
  for group in unit golden; do  # without the cases that need an OpenCL device
    in_wine "tests --source-file='*/tests/$group/*' --test-case-exclude='*every OpenCL device*'" ||
      die "windows: $group failed"
  done
  # shellcheck disable=SC2016
  in_wine '
    set -x
    accord datasets/example.fa | cmp - datasets/example.aln
    accord - <datasets/example.fa | cmp - datasets/example.aln
    accord datasets/example.fa -o /tmp/out.aln.gz
    zcat /tmp/out.aln.gz | cmp - datasets/example.aln
    gzip -c datasets/example.fa >"/tmp/in ä.fa.gz"
    accord "/tmp/in ä.fa.gz" -o "/tmp/out ä.aln"   # the second run replaces the file
    accord "/tmp/in ä.fa.gz" -o "/tmp/out ä.aln"
    cmp "/tmp/out ä.aln" datasets/example.aln
    status=0
    accord missing.fa 2>/tmp/error || status=$?
    [[ $status -eq 66 ]]
    grep -q "accord: error: cannot open missing.fa: No such file or directory" /tmp/error' ||
    die 'windows: the program fails'
}

make_zip() {
  windows_build -DACCORD_TESTS=OFF
  local version name
  version=$(sed -n 's/^project(accord VERSION \([0-9.]*\).*/\1/p' "$root/CMakeLists.txt")
  name=accord-$version-windows-x86_64
  # shellcheck disable=SC2016
  run_logged "$build/windows-zip.log" enter bash -euo pipefail -c '
    cd /root/accord
    source scripts/lib.sh
    source scripts/packaging/notices.sh
    mkdir "/root/$1"
    cp build/windows/accord.exe LICENSE CITATION.cff datasets/example.fa "/root/$1"
    notices_foreign "gcc-mingw-w64-base stands for the run-time libraries of GCC (libstdc++,
libgomp and libgcc), which the run-time library exception of GCC covers; mingw-w64-common for those
of MinGW-w64 (winpthreads, too)." gcc-mingw-w64-base mingw-w64-common >"/root/$1/THIRD-PARTY.txt"
    find "/root/$1" -exec touch -d "@$2" {} +
    cd && find "$1" | LC_ALL=C sort | zip -q -X "$1.zip" -@' \
    zip "$name" "$(git -C "$root" log -1 --format=%ct)" ||
    die "the zip failed (log: $build/windows-zip.log)"
  rm -rf "$build/windows"
  mkdir "$build/windows"
  cp "$system/root/$name.zip" "$build/windows"
}

use_zip() {
  windows_system unzip
  cp "$build"/windows/*.zip "$system/root"
  enter env WINEDEBUG=-all bash -euo pipefail -c '
    if command -v cc c++ x86_64-w64-mingw32-g++-posix; then exit 1; fi
    cd /root && unzip -q accord-*.zip
    cd accord-*-windows-x86_64
    wine accord.exe example.fa | cmp - /root/accord/datasets/example.aln
    ls THIRD-PARTY.txt' </dev/null || die 'windows: the zip does not work'
}

steps=("$@")
[[ $# -gt 0 ]] || steps=(test zip)
for step in "${steps[@]}"; do
  say "windows: $step"
  started=$SECONDS
  case $step in  # a bare system goes when its subshell ends
    test) (test_program) ;;
    zip)
      (make_zip)
      (use_zip)
      ;;
    *) die "unknown step $step" ;;
  esac
  say "windows: $step passed in $((SECONDS - started)) s"
done
