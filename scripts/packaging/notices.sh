# shellcheck shell=bash
# shellcheck disable=SC2154  # build_packages is that of lib.sh
# The licences of what a program linked with ACCORD_STATIC holds: source it after lib.sh.

# notices ENVIRONMENT: the licences of the linked libraries, as Debian's packages have them, and
# that of nanobind in the Python environment of a wheel. ENVIRONMENT is empty if there is no wheel.
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
    printf '\n======== %s %s\n\n' "$package" \
      "$(dpkg-query -W -f '${Version}\n' "$package" | head -n 1)"  # of whatever architecture
    cat "/usr/share/doc/$package/copyright"
  done
  if [[ $1 ]]; then
    printf '\n======== nanobind, in the Python module\n\n'
    cat "$1"/lib/python3*/site-packages/nanobind-*.dist-info/licenses/LICENSE
  fi
  for package in Apache-2.0 GPL-3 LGPL-2.1 MPL-2.0; do
    [[ -e $texts/$package ]] || continue
    printf '\n======== %s\n\n' "$package"
    cat "$texts/$package"
  done
}
