#!/usr/bin/env bash
# Builds accord for Linux on 64-bit ARM with the cross-compiler of a bare Debian 12, and runs it
# there in QEMU:
#   scripts/checks/arm64.sh [STEP...]
# Steps (all, in this order, if none is named):
#   test     the groups unit, golden and cli; 'test:GROUP,...' builds and runs these groups alone,
#            'test:GROUP:CASES' the cases whose names have that form, such as 'test:golden:goldens*'
#   portable the wheel and the portable tarball, in build/arm64/; the program of the tarball gives
#            datasets/example.aln in a system that has no library of ARM but glibc, and no compiler,
#            and so do the command and the module of the wheel once it has Python, too
#   deb      the Debian packages, in build/arm64/, installed and used in a system without a compiler
# Exits 77, with the reason, where that cannot be done. bare_system.sh says what a bare system
# needs; programs of ARM need a binfmt_misc for each user namespace (Linux 6.7 or newer).
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

# emulate COMMAND...: as enter, in the clone, where programs of ARM run as those of this machine do.
# The namespace of the command knows QEMU, the machine does not.
emulate() {
  local namespaces=(--user --map-root-user --mount --pid)
  # shellcheck disable=SC2016
  enter bash -euo pipefail -c '
    mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
    cat /usr/lib/binfmt.d/qemu-aarch64.conf >/proc/sys/fs/binfmt_misc/register
    cd /root/accord
    exec "$@"' emulate "$@" </dev/null
}

# arm_system PACKAGE...: a bare system with packages of ARM, and QEMU.
arm_system() {
  bare_system bookworm
  # shellcheck disable=SC2016
  run_logged "$build/arm64-packages.log" enter bash -euo pipefail -c '
    dpkg --add-architecture arm64
    apt-get -q update
    apt-get -q install -y --no-install-recommends qemu-user-static "$@"' packages "$@" ||
    die "packages of ARM could not be installed (log: $build/arm64-packages.log)"
  emulate true 2>"$build/arm64-emulation.log" ||
    cannot "the kernel has no binfmt_misc for a user namespace (log: $build/arm64-emulation.log)"
}

# arm_compiler PACKAGE...: what is built with, as debian/control names it, and what is tested with.
arm_compiler() {
  arm_system crossbuild-essential-arm64 doctest-dev ocl-icd-libopencl1:arm64 "$@"
  run_logged "$build/arm64-packages.log" enter bash -c \
    'cd /root/accord && apt-get -q build-dep -y --no-install-recommends -a arm64 \
      ./scripts/packaging' ||
    die "what accord is built with could not be installed (log: $build/arm64-packages.log)"
}

# The cases that are left out. The first four need an OpenCL device: Debian's PoCL for ARM and the
# cross-compiler cannot both be installed. A limit of memory would be that of the emulator, no run
# is short there, and the runs that are long elsewhere take minutes. The namespace knows no user but
# root, to whom everything is permitted. QEMU catches signals that are ignored, and catching ends
# when accord starts itself again (system.hpp): the last two pass with GOMP_SPINCOUNT=0,
# where accord does not.
left_out='*every OpenCL device*,cli bench: a device has a peak*'
left_out+=',tree: neighbour joining on a device*,tree --ml: of a family*'
left_out+=',process: however little memory*,progress: nothing for a short run*'
left_out+=',progress: a bar on a terminal*,progress: json is an object*,progress: a batch shows*'
left_out+=',permissions are respected,process: a reader that goes away*,process: an ignored signal*'

# test_groups GROUP,... [CASES]: without those of left_out, and not by CTest, whose time limits are
# not for an emulator. Few optimisations, and phylogeny only for groups that test it: compiling
# takes the most time.
test_groups() {
  arm_compiler
  local group cases=${2:-*} phylogeny=OFF
  for group in ${1//,/ }; do
    [[ ! -d $root/tests/$group/phylogeny ]] || phylogeny=ON
  done
  # shellcheck disable=SC2016
  run_logged "$build/arm64-build.log" emulate bash -c \
    'cmake -G Ninja --toolchain cmake/aarch64.cmake -B build -DCMAKE_BUILD_TYPE=Release \
      -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG" -DACCORD_WERROR=ON -DACCORD_PHYLOGENY="$2" \
      -DACCORD_TEST_GROUPS="$1" && cmake --build build --target accord_tests' \
    build "${1//,/;}" "$phylogeny" || die "the build failed (log: $build/arm64-build.log)"
  say "arm64: built in $((SECONDS - started)) s"
  for group in ${1//,/ }; do
    # Cases side by side, each a process; a filter of names would be split at a comma.
    # shellcheck disable=SC2016
    emulate bash -euo pipefail -c '
      tests() { build/tests/accord_tests --source-file="*/tests/$1/*" "${@:2}"; }
      export -f tests
      tests "$1" --test-case="$2" --test-case-exclude="$3" --list-test-cases --no-version |
        grep -vE "^(\[doctest\]|=+$)" | tr , "?" |
        xargs -d "\n" -P "$(nproc)" -I {} bash -c "tests $1 --minimal \"-tc=\$1\"" case {}' \
      tests "$group" "$cases" "$left_out" || die "arm64: $group failed"
  done
}

# arm_python LIBRARY: Python of ARM, with venv; LIBRARY is what it needs of libpython3.11. Debian's
# packages of the interpreter run it when they are configured, where no emulator is; so they are
# unpacked alone.
arm_python() {
  # shellcheck disable=SC2016
  run_logged "$build/arm64-python.log" enter bash -euo pipefail -c '
    apt-get -q install -y --no-install-recommends "$1" {zlib1g,libexpat1,libstdc++6}:arm64 \
      python3-pip-whl python3-setuptools-whl
    cd "$(mktemp -d)"
    apt-get -q download python3.11-minimal:arm64 python3.11-venv:arm64 python3-distutils
    for package in *.deb; do dpkg -x "$package" /; done
    ln -s python3.11 /usr/bin/python3' python "$1:arm64" ||
    die "Python of ARM could not be installed (log: $build/arm64-python.log)"
}

build_portable() {
  arm_compiler
  arm_python libpython3.11-dev
  run_logged "$build/arm64-portable.log" emulate env \
    "SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)" \
    scripts/packaging/portable.sh cmake/aarch64.cmake ||
    die "the tarball and the wheel failed (log: $build/arm64-portable.log)"
  mkdir -p "$build/arm64"
  rm -f "$build"/arm64/*.tar.gz "$build"/arm64/*.whl
  cp "$system"/root/accord/build/portable/*.tar.gz "$system"/root/accord/build/wheel/*.whl \
    "$build/arm64"
}

use_portable() {
  arm_system libc6:arm64
  cp "$build"/arm64/*.tar.gz "$build"/arm64/*.whl "$system/root"
  emulate bash -euo pipefail -c '
    if command -v cc c++; then exit 1; fi
    tar -C /opt -xf /root/accord-*-linux-aarch64.tar.gz
    /opt/accord-*/bin/accord datasets/example.fa | cmp - datasets/example.aln
    ls /opt/accord-*/share/man/man1/accord.1 /opt/accord-*/share/doc/accord/THIRD-PARTY.txt' ||
    die 'arm64: the tarball does not work'
  arm_python libpython3.11-stdlib
  emulate bash -euo pipefail -c '
    if command -v cc c++; then exit 1; fi
    python3 -m venv /root/env
    /root/env/bin/pip install --only-binary :all: /root/accord_aligner-*_aarch64.whl
    cd datasets
    /root/env/bin/accord example.fa | cmp - example.aln
    /root/env/bin/python -c "import accord
print(accord.align(\"example.fa\").format(\"fasta\"), end=\"\")" | cmp - example.aln' ||
    die 'arm64: the wheel does not work'
}

build_deb() {
  arm_compiler build-essential debhelper fakeroot git
  run_logged "$build/arm64-deb.log" emulate scripts/packaging/debian.sh --host-arch arm64 ||
    die "the packages failed (log: $build/arm64-deb.log)"
  mkdir -p "$build/arm64"
  rm -f "$build"/arm64/*.deb
  cp "$system"/root/accord/build/debian/*.deb "$build/arm64"
}

use_deb() {
  arm_system
  cp "$build"/arm64/accord_*.deb "$system/root"
  # apt works as other users, too, of which the namespace of emulate knows none.
  enter bash -c 'apt-get install -y --no-install-recommends /root/accord_*_arm64.deb' ||
    die 'arm64: the package cannot be installed'
  emulate bash -euo pipefail -c '
    if command -v cc c++; then exit 1; fi
    accord datasets/example.fa | cmp - datasets/example.aln' ||
    die 'arm64: the package does not work'
  enter bash -euo pipefail -c 'apt-get remove -y accord && ! command -v accord' ||
    die 'arm64: the package cannot be removed'
}

steps=("$@")
[[ $# -gt 0 ]] || steps=(test portable deb)
for step in "${steps[@]}"; do
  say "arm64: $step"
  started=$SECONDS
  case $step in  # a bare system goes when its subshell ends
    test) (test_groups unit,golden,cli) ;;
    test:*)
      IFS=: read -r _ groups cases <<<"$step"
      (test_groups "$groups" "$cases")
      ;;
    portable)
      (build_portable)
      (use_portable)
      ;;
    deb)
      (build_deb)
      (use_deb)
      ;;
    *) die "unknown step $step" ;;
  esac
  say "arm64: $step passed in $((SECONDS - started)) s"
done
