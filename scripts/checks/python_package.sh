#!/usr/bin/env bash
# Installs the Python package into an environment of its own in BUILD/python, and runs its tests
# against BUILD/accord:
#   scripts/checks/python_package.sh [BUILD [pytest options]]
# Exits 77, and says so, where Python has no headers, or cannot make environments, or pip finds no
# packages.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
build=${1:-$build}
shift || true

headers=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
if [[ ! -e $headers/Python.h ]]; then
  say "SKIPPED python: no Python.h ($(install_command "$(packages_column)" python-headers))"
  exit 77
fi
if ! python_environment "$build/python" 'scikit-build-core>=0.10' 'nanobind>=2.2' numpy pytest \
  biopython mypy pyhmmer scikit-bio; then
  say "SKIPPED python: no environment for its tests (see above)"
  exit 77
fi
python=$build/python/bin/python
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
# With few optimisations: it compiles in less time, and must give the same bytes. With a compiler
# cache as in BUILD.
flags='-O1 -DNDEBUG'
CMAKE_CXX_COMPILER_LAUNCHER=$(cached CMAKE_CXX_COMPILER_LAUNCHER)
export CMAKE_CXX_COMPILER_LAUNCHER
run_logged "$build/pip-accord.log" "$python" -m pip install --disable-pip-version-check -v \
  --no-build-isolation --no-deps --config-settings build-dir="$build/pip" \
  --config-settings cmake.define.CMAKE_CXX_FLAGS_RELEASE="$flags" \
  --config-settings cmake.define.CMAKE_CXX_COMPILER="$(cached CMAKE_CXX_COMPILER)" \
  --config-settings cmake.define.ACCORD_WERROR="$(cached ACCORD_WERROR)" "$root"
ACCORD_PROGRAM=$build/accord "$python" -B -m pytest -q -p no:cacheprovider -rs "$@" \
  "$root/tests/python"
