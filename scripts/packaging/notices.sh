# shellcheck shell=bash
# shellcheck disable=SC2154  # build_packages is that of lib.sh
# The licences of what a program linked with ACCORD_STATIC holds: source it after lib.sh.

# package_notices PACKAGE...: their licences, less those of packages that are not linked in.
package_notices() {
  local package
  for package in "$@"; do
    case $package in
      g++ | cmake | ninja-build | libnlopt-dev | ocl-icd-libopencl1) continue ;;
    esac
    printf '\n======== %s %s\n\n' "$package" \
      "$(dpkg-query -W -f '${Version}\n' "$package" | head -n 1)"  # of whatever architecture
    cat "/usr/share/doc/$package/copyright"
  done
}

# common_licences: the texts that these name.
common_licences() {
  local name
  for name in Apache-2.0 GPL-3 LGPL-2.1 MPL-2.0; do
    [[ -e /usr/share/common-licenses/$name ]] || continue
    printf '\n======== %s\n\n' "$name"
    cat "/usr/share/common-licenses/$name"
  done
}

# notices ENVIRONMENT: the licences of the linked libraries, as Debian's packages have them, and
# that of nanobind in the Python environment of a wheel.
notices() {
  printf '%s\n' \
    'accord is under the Apache License 2.0. These libraries are linked in, each under its' \
    'licence below; libnlopt, libgomp, libbz2 and libsodium come along as libraries of their' \
    'own, which may be replaced. The sources of all are the source packages of Debian of these' \
    'versions.' \
    'libgomp1 stands for all run-time libraries of GCC (libstdc++ and libgcc, too), which its' \
    'run-time library exception covers.'
  package_notices libgomp1 libnlopt0 "${build_packages[@]}"
  printf '\n======== nanobind, in the Python module\n\n'
  cat "$1"/lib/python3*/site-packages/nanobind-*.dist-info/licenses/LICENSE
  common_licences
}

# notices_foreign RUNTIME PACKAGE...: those of a program that has no phylogeny and holds all of its
# libraries: that for Windows (scripts/checks/windows.sh) and that of the page (browser.sh). RUNTIME
# says which of its code has the licences of the packages, which are those of the compiler.
notices_foreign() {
  printf '%s\n' \
    'accord is under the Apache License 2.0. These libraries are linked in, each under its' \
    'licence below. The sources of all are the source packages of Debian of these versions.' "$1"
  package_notices "${@:2}" "${build_packages[@]}"
  common_licences
}
