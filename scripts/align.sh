#!/usr/bin/env bash
# Installs missing packages, builds accord in build/, and aligns:
#   scripts/align.sh FILE [accord options]
# A second call only aligns. The alignment goes to stdout, everything else to stderr.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

if [[ $# -eq 0 ]]; then
  printf 'usage: %s FILE [accord options]\n' "$0" >&2
  exit 2
fi
prepare build
exec "$build/accord" "$@"
