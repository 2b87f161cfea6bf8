#!/usr/bin/env bash
# What ruff says of all Python files, by the rules in pyproject.toml:
#   scripts/checks/ruff.sh [BUILD]
# It is installed from PyPI into an environment of its own, BUILD/ruff. Exits 77, and says so, where
# Python cannot make environments, or pip finds no packages.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
build=${1:-$build}

mkdir -p "$build"
if ! python_environment "$build/ruff" 'ruff==0.14.*'; then
  say 'SKIPPED ruff: pip cannot get it'
  exit 77
fi
cd "$root" && "$build/ruff/bin/ruff" check --no-cache .
