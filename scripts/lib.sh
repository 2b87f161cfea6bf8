# shellcheck shell=bash
# Set-up and build steps shared by align.sh and test.sh. Source it; it defines functions only.
# Nothing here writes to stdout: that belongs to the alignment.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$root/build

build_packages=(g++ cmake ninja-build opencl-headers opencl-clhpp-headers ocl-icd-libopencl1
  libboost-program-options-dev zlib1g-dev libbz2-dev liblzma-dev libzstd-dev libssl-dev
  libxxhash-dev libpugixml-dev nlohmann-json3-dev libeigen3-dev libnlopt-dev)
test_packages=(doctest-dev pocl-opencl-icd python3)
# A test without them is skipped; not every distribution has them.
extra_test_packages=(oclgrind clang-format-14 clang-tidy-14 python3-cmaes python3-numba
  python3-scipy python3-venv python3-dev libhmsbeagle-dev clang libclang-rt-dev libomp-dev
  clang-15 lld-15 rocm-device-libs intel-opencl-icd)

say() { printf 'accord: %s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# run_logged LOG COMMAND...: the output goes to LOG, and to stderr only if COMMAND fails.
run_logged() {
  local log=$1
  shift
  "$@" >"$log" 2>&1 </dev/null && return 0
  cat "$log" >&2
  return 1
}

# The distribution and everything it derives from, e.g. "linuxmint ubuntu debian".
distribution() {
  # shellcheck source=/dev/null
  (. /etc/os-release && printf '%s %s' "${ID:-}" "${ID_LIKE:-}") 2>/dev/null || true
}

# has_header HEADER: the compiler finds it.
has_header() {
  printf '#include <%s>\n' "$1" | "${CXX:-c++}" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null
}

# need CONDITION-COMMAND... -- TEXT: prints TEXT if the command fails.
need() {
  local test=()
  while [[ $1 != -- ]]; do
    test+=("$1")
    shift
  done
  "${test[@]}" >/dev/null 2>&1 || printf '%s\n' "$2"
}

# Lists, one a line, what is not found here, whatever it was installed with.
missing_by_probing() {
  need eval 'has_header span && has_header omp.h' -- \
    'a C++20 compiler with OpenMP: GCC 11 or newer, or Clang 14 or newer with libomp'
  need command -v cmake -- 'CMake 3.22 or newer'
  need eval 'command -v ninja || command -v ninja-build' -- 'Ninja'
  need has_header CL/cl.h -- 'OpenCL headers'
  need has_header CL/opencl.hpp -- 'OpenCL C++ headers (CL/opencl.hpp)'
  need has_header boost/program_options.hpp -- 'Boost.Program_options'
  need has_header zlib.h -- 'zlib'
  need has_header bzlib.h -- 'bzip2 (libbz2)'
  need has_header lzma.h -- 'xz (liblzma)'
  need has_header zstd.h -- 'zstd (libzstd)'
  need has_header openssl/evp.h -- 'OpenSSL (libcrypto) 1.1 or newer'
  need has_header xxhash.h -- 'xxHash 0.8 or newer'
  need has_header pugixml.hpp -- 'pugixml'
  need has_header nlohmann/json.hpp -- 'nlohmann JSON 3.7 or newer'
  need eval 'has_header eigen3/Eigen/Core || has_header Eigen/Core' -- 'Eigen 3.3 or newer'
  need has_header boost/math/special_functions/gamma.hpp -- 'Boost.Math'
  need has_header nlopt.h -- 'NLopt'
  [[ $1 == test ]] || return 0
  need has_header doctest/doctest.h -- 'doctest 2.4 or newer'
  need command -v python3 -- 'Python 3.9 or newer'
}

# apt_install PACKAGE...: as root, or with sudo; fails if neither is possible.
apt_install() {
  local as_root=()
  if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || return 1
    # sudo may ask for a password only where there is somebody to type it.
    sudo -n true 2>/dev/null || { [[ -t 2 ]] && sudo -v; } || return 1
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y
    -o DPkg::Lock::Timeout=300)
  say "installing $*"
  # A failed update is not the end: the lists that are there may do.
  run_logged "$build/apt-update.log" "${apt[@]}" update || true
  run_logged "$build/apt-install.log" "${apt[@]}" install --no-install-recommends "$@"
}

# Installs those of the packages that the distribution has; that it cannot is no error.
install_extra() {
  local package missing=()
  for package in "$@"; do
    if [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) != installed ]] &&
      [[ -n $(apt-cache search --names-only "^$package\$" 2>/dev/null) ]]; then
      missing+=("$package")
    fi
  done
  [[ ${#missing[@]} -eq 0 ]] || apt_install "${missing[@]}" && return 0
  for package in "${missing[@]}"; do apt_install "$package" || true; done
}

# python_environment DIR PACKAGE...: a Python environment in DIR with these packages of PyPI, made
# once. Fails, and says why, if Python has no venv or pip does not get the packages.
python_environment() {
  local directory=$1 log=$1.log python=$1/bin/python
  shift
  [[ ! -x $python || "$(cat "$directory/packages" 2>/dev/null)" != "$*" ]] || return 0
  if ! python3 -m venv --clear "$directory" >"$log" 2>&1; then
    say "python3 cannot make an environment (Debian: python3-venv; log: $log)"
    return 1
  fi
  if ! "$python" -m pip install --disable-pip-version-check -q "$@" >>"$log" 2>&1; then
    say "pip cannot install $* (log: $log):"
    tail -n 1 "$log" >&2
    return 1
  fi
  printf '%s\n' "$*" >"$directory/packages"
}

# set_up build|test: everything needed is installed when this returns.
set_up() {
  local packages=("${build_packages[@]}") installed package missing=() todo
  [[ $1 == build ]] || packages+=("${test_packages[@]}")
  mkdir -p "$build"
  if [[ " $(distribution) " =~ \ (debian|ubuntu)\  ]]; then
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null ||
      true)
    for package in "${packages[@]}"; do
      grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
    done
    if [[ ${#missing[@]} -eq 0 ]] || apt_install "${missing[@]}"; then
      [[ $1 == build ]] || install_extra "${extra_test_packages[@]}"
      return 0
    fi
    todo="as root: apt-get install ${missing[*]}"
  fi
  missing=()
  mapfile -t missing < <(missing_by_probing "$1")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  say 'error: something is missing that this script cannot install here. Install'
  printf '  - %s\n' "${missing[@]}" >&2
  [[ $1 == build ]] || printf '  - %s\n' 'an OpenCL device for the tests, such as PoCL' >&2
  [[ -z ${todo:-} ]] || printf '  %s\n' "$todo" >&2
  exit 1
}

# cached NAME: the value of a CMake cache entry; empty if there is none.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }

# configure ON|OFF: a Release build in build/. ON asks for the tests; OFF keeps what is there, so
# that align.sh and test.sh share one configuration and every object file.
configure() {
  local groups=${ACCORD_TEST_GROUPS:-} options=(-DCMAKE_BUILD_TYPE=Release) home
  groups=${groups//,/;}
  home=$(cached CMAKE_HOME_DIRECTORY)
  if [[ -n $home && ! $home -ef $root ]]; then  # the directory was copied or moved
    rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles"
    home=''
  fi
  [[ -n $home ]] || options+=(-G Ninja)
  [[ ${CI:-} != true ]] || options+=(-DACCORD_WERROR=ON)
  [[ $1 == OFF && -n $home ]] || options+=("-DACCORD_TESTS=$1" "-DACCORD_TEST_GROUPS=$groups")
  if [[ -f $build/build.ninja || -f $build/Makefile ]] && [[ -n $home ]] &&
    [[ $(cached CMAKE_BUILD_TYPE) == Release ]] &&
    [[ $1 == OFF || "$(cached ACCORD_TESTS) $(cached ACCORD_TEST_GROUPS)" == "ON $groups" ]]; then
    return 0
  fi
  run_logged "$build/configure.log" cmake -S "$root" -B "$build" "${options[@]}" ||
    die "cmake could not configure the build (log: $build/configure.log)"
}

# compile [TARGET]: brings TARGET, or everything, up to date; says nothing if it is.
compile() {
  local log=$build/build-${1:-all}.log
  if [[ ! -e $log || -n $(find "$root/CMakeLists.txt" "$root/src" "$root/include" \
    "$root/kernels" "$root/tests" -newer "$log" -print -quit) ]]; then
    say "building in $build (the first time takes a minute or two)"
  fi
  run_logged "$log" cmake --build "$build" ${1:+--target "$1"} || die "the build failed (log: $log)"
  [[ -n ${1:-} ]] || touch "$build/build-accord.log"  # everything includes the program
}

# prepare build|test: set-up, configuration and build; one caller at a time.
prepare() {
  mkdir -p "$build"
  (
    if command -v flock >/dev/null; then flock 9; fi
    set_up "$1"
    if [[ $1 == test ]]; then
      configure ON
      compile
    else
      configure OFF
      compile accord
    fi
  ) 9>"$build/.lock" >&2
}
