#!/usr/bin/env bash
# Runs programs that call an aligner by name, with accord under that name and with the aligner
# itself, as tests/callers says:
#   scripts/checks/callers.sh [BUILD]
# They are installed from PyPI into environments of their own, BUILD/callers/NAME. Exits 77, and
# says so, where none of them can be installed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
build=${1:-$build}

declare -A packages=(
  [augur]='nextstrain-augur==34.*'
  [magus]='magus-msa==0.2.*'
  [phylophlan]='phylophlan==3.*'
  [skbio]='scikit-bio==0.7.*')
mkdir -p "$build/callers"
here=0
for name in "${!packages[@]}"; do
  if python_environment "$build/callers/$name" "${packages[$name]}"; then
    here=$((here + 1))
  else
    rm -rf "$build/callers/$name"
    say "SKIPPED callers/$name: pip cannot get ${packages[$name]}"
  fi
done
if ((here == 0)); then
  say 'SKIPPED callers: pip cannot get any of them'
  exit 77
fi
export ACCORD_PROGRAM=${ACCORD_PROGRAM:-$build/accord}
rm -rf "$build/callers/prefix"
run_logged "$build/callers/install.log" \
  cmake --install "$build" --component program --prefix "$build/callers/prefix"
ACCORD_CALLERS=$build/callers python3 -B -m unittest discover -v -s "$root/tests/callers"
