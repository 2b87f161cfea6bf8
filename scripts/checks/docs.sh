#!/usr/bin/env bash
# Builds the documents with MkDocs, and fails on any warning, a link without a target among them:
#   scripts/checks/docs.sh [BUILD]
# The site is BUILD/docs; the page of the command line comes from BUILD/accord. MkDocs is installed
# from PyPI into an environment of its own, BUILD/docs_python. Exits 77, and says so, where Python
# cannot make environments, or pip finds no packages.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
build=${1:-$build}

if ! python_environment "$build/docs_python" 'mkdocs>=1.6,<2'; then
  say "SKIPPED docs: pip cannot get MkDocs"
  exit 77
fi
export ACCORD_PROGRAM=${ACCORD_PROGRAM:-$build/accord}
run_logged "$build/docs.log" "$build/docs_python/bin/python" -B -m mkdocs build --strict --clean \
  --config-file "$root/mkdocs.yml" --site-dir "$build/docs" ||
  die "the documents have faults (log: $build/docs.log)"
say "the documents are in $build/docs/index.html"
