# shellcheck shell=bash
# Set-up and build steps shared by align.sh and test.sh. Source it; it defines functions only.
# Nothing here writes to stdout: that belongs to the alignment.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=$root/build

package_table=$root/cmake/packages.tsv  # names for each distribution

# What groups of tests use besides; a test without them is skipped. Not every distribution has them.
declare -A group_packages=(
  [oracle]=libhmsbeagle-dev
  [python]='python3-venv python3-dev'
  [harness]='python3-cmaes python3-numba python3-scipy python3-jsonschema'
  [docs]=python3-venv
  [format]=clang-format-14
  [ruff]=python3-venv
  [workflows]=python3-venv
  [packaging]='python3-venv git'
  [clang]='clang clang-tidy-14'
  [fuzz]='clang libclang-rt-dev libomp-dev'
  [offline]='clang-15 lld-15 rocm-device-libs intel-opencl-icd'
  [oclgrind]=oclgrind)

# Tools from PyPI that more than one script uses.
# shellcheck disable=SC2034  # for who sources this
snakemake_package='snakemake==9.*' wheel_judges=('twine==7.*' 'check-wheel-contents==0.6.*')

# judge_wheels WHEEL...: whether PyPI would take them, and whether they hold what they should, as
# they are before auditwheel adds libraries.
judge_wheels() {
  twine --no-color check --strict "$@" &&
    check-wheel-contents --config "$root/pyproject.toml" "$@"
}

# extra_test_packages: those of the groups in ACCORD_TEST_GROUPS, or of all groups, one a line.
extra_test_packages() {
  local group groups=${ACCORD_TEST_GROUPS:-${!group_packages[*]}}
  for group in ${groups//,/ }; do
    printf '%s\n' "${group_packages[$group]:-}"
  done | tr ' ' '\n' | sed '/^$/d' | sort -u
}

say() { printf 'accord: %s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# skip_if_late NAME: ends a check that compiles all of accord with 77, and says so, if
# ACCORD_LONG_CHECKS_UNTIL (seconds since 1970; CI sets it) has passed.
skip_if_late() {
  (($(date +%s) > ${ACCORD_LONG_CHECKS_UNTIL:-99999999999})) || return 0
  say "SKIPPED $1 late: no time is left for it; there is time where compiled objects were kept"
  exit 77
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

# The column of this system in the table of packages.
packages_column() {
  case " $(distribution) " in
    *\ debian\ * | *\ ubuntu\ *) echo debian ;;
    *\ fedora\ * | *\ rhel\ * | *\ centos\ *) echo fedora ;;
    *\ arch\ *) echo arch ;;
    *) echo words ;;
  esac
}

# packages_for COLUMN KEY...: what the lines of the table have there, each once, one a line.
packages_for() {
  local column=$1
  shift
  awk -F '\t' -v column="$column" -v keys=" $* " '
    /^#/ { next }
    !at { for (k = 1; k <= NF; ++k) if ($k == column) at = k; next }
    index(keys, " " $1 " ") && !seen[$at]++ { print $at }' "$package_table"
}

# keys_for build|test|extra: the first cells of these lines.
keys_for() { awk -F '\t' -v group="$1" '!/^#/ && $2 == group { print $1 }' "$package_table"; }

# What Debian and Ubuntu need for a build.
# shellcheck disable=SC2034,SC2046  # for who sources this; keys are words
mapfile -t build_packages < <(packages_for debian $(keys_for build))

# install_command COLUMN KEY...: what installs them, or their words on a system that is not known.
install_command() {
  local column=$1 names
  names=$(packages_for "$@" | tr '\n' ' ')
  case $column in
    debian) printf 'as root: apt-get install %s\n' "${names% }" ;;
    fedora) printf 'as root: dnf install %s\n' "${names% }" ;;
    arch) printf 'as root: pacman -S --needed %s\n' "${names% }" ;;
    conda) printf 'conda install -c conda-forge %s\n' "${names% }" ;;
    *) packages_for "$@" | sed 's/^/- /' ;;
  esac
}

# has_header HEADER: the compiler finds it.
has_header() {
  printf '#include <%s>\n' "$1" | "${CXX:-c++}" -std=c++20 -fsyntax-only -x c++ - 2>/dev/null
}

# need KEY CONDITION-COMMAND...: prints KEY if the command fails.
need() {
  local key=$1
  shift
  "$@" >/dev/null 2>&1 || printf '%s\n' "$key"
}

# Lists the keys of the packages that are not found here, whatever they were installed with.
missing_by_probing() {
  need compiler eval 'has_header span && has_header omp.h'
  need cmake command -v cmake
  need ninja eval 'command -v ninja || command -v ninja-build'
  need opencl-headers has_header CL/cl.h
  need opencl-cxx-headers has_header CL/opencl.hpp
  need program-options has_header boost/program_options.hpp
  need zlib has_header zlib.h
  need bzip2 has_header bzlib.h
  need xz has_header lzma.h
  need zstd has_header zstd.h
  need sodium has_header sodium.h
  need xxhash has_header xxhash.h
  need pugixml has_header pugixml.hpp
  need gemmi has_header gemmi/model.hpp
  need pegtl eval 'has_header tao/pegtl.hpp || has_header gemmi/third_party/tao/pegtl.hpp'
  need json has_header nlohmann/json.hpp
  need eigen eval 'has_header eigen3/Eigen/Core || has_header Eigen/Core'
  need boost-math has_header boost/math/special_functions/gamma.hpp
  need nlopt has_header nlopt.h
  [[ $1 == test ]] || return 0
  need doctest has_header doctest/doctest.h
  need python command -v python3
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
    say "python3 cannot make an environment (log: $log); it needs venv:"
    install_command "$(packages_column)" python-venv >&2
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
  local keys column wanted installed package missing=()
  column=$(packages_column)
  mapfile -t keys < <(keys_for build; [[ $1 == build ]] || keys_for test)
  mkdir -p "$build"
  if [[ $column == debian ]]; then
    mapfile -t wanted < <(packages_for debian "${keys[@]}")
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null ||
      true)
    for package in "${wanted[@]}"; do
      grep -qxF "installed $package" <<<"$installed" || missing+=("$package")
    done
    if [[ ${#missing[@]} -eq 0 ]] || apt_install "${missing[@]}"; then
      # shellcheck disable=SC2046  # packages are words
      [[ $1 == build ]] || install_extra $(extra_test_packages)
      return 0
    fi
  fi
  mapfile -t missing < <(missing_by_probing "$1")
  [[ ${#missing[@]} -gt 0 ]] || return 0
  [[ $1 == build ]] || missing+=(pocl)  # or another OpenCL device
  say 'error: something is missing that this script cannot install here. Install'
  packages_for words "${missing[@]}" | sed 's/^/  - /' >&2
  if [[ $column != words ]]; then
    printf '  %s\n' "$(install_command "$column" "${missing[@]}")" >&2
  fi
  if [[ -n ${CONDA_PREFIX:-} ]]; then
    printf '  in the active environment: %s\n' "$(install_command conda "${missing[@]}")" >&2
  fi
  exit 1
}

# cached NAME: the value of a CMake cache entry; empty if there is none.
cached() { sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt" 2>/dev/null || true; }

# configure ON|OFF: a Release build in build/. ON asks for the tests; OFF keeps the setting, so that
# align.sh and test.sh share one configuration and every object file.
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
    say "building in $build (the first time takes a few minutes)"
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
