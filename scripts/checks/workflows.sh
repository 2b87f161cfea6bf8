#!/usr/bin/env bash
# Runs scripts/batch.smk, scripts/large.smk and the wrapper in scripts/packaging/recipes with the
# local executor of Snakemake:
#   scripts/checks/workflows.sh [BUILD]
# It is installed from PyPI into an environment of its own, BUILD/snakemake. Exits 77, and says so,
# where Python cannot make environments, or pip finds no packages.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
build=${1:-$build}

mkdir -p "$build"
if ! python_environment "$build/snakemake" "$snakemake_package"; then
  say 'SKIPPED workflows: pip cannot get Snakemake'
  exit 77
fi
export ACCORD_PROGRAM=${ACCORD_PROGRAM:-$build/accord}
# Snakemake keeps what it knows of sources beside other caches of the user.
export XDG_CACHE_HOME=$build/cache
"$build/snakemake/bin/python" -B -m unittest discover -v -s "$root/tests/workflows"
