#!/usr/bin/env bash
# Runs every kernel on tiny tasks in the simulator Oclgrind, which looks for data races, reads of
# memory that nobody has written, accesses out of bounds and wrong API calls:
#   scripts/checks/oclgrind.sh [BUILD]     BUILD: where accord and its tests were built (build)
# Fails unless Oclgrind has nothing to say; exits 77 if it is not installed. (It exits with 0 itself
# whatever it finds, so that its log has to be empty.)
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
build=$(cd "${1:-$root/build}" && pwd -P)
command -v oclgrind >/dev/null || { echo 'SKIPPED oclgrind: it is not installed'; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ACCORD_CACHE_DIR=off ACCORD_SELF_TEST=off

# simulate CASES OPTION...: runs test cases in the simulator; what it says is in $work/log. (Not
# with --log: every context begins that file anew.) Fails if the cases themselves do. Without the
# compiler's passes, because inlining a function that returns a struct makes an intrinsic
# (llvm.experimental.noalias.scope.decl) that Oclgrind 21.10 does not know.
simulate() {
  local status=0
  oclgrind --max-errors 20 --build-options -disable-llvm-passes "${@:2}" \
    "$build/tests/accord_tests" --no-skip -tc="$1" >"$work/output" 2>"$work/stderr" || status=1
  grep -v '^accord: ' "$work/stderr" >"$work/log" || true
  return "$status"
}

# finds CASE OPTION: a kernel made wrong on purpose is noticed.
finds() {
  simulate "wrong kernel: $1" "$2" || true
  grep -q 'Kernel: make_matrices' "$work/log" || {
    cat "$work/output" "$work/log"
    echo "FAILED: $1 is not found"
    exit 1
  }
  echo "made wrong on purpose, $1: $(grep -m 1 '[^ ]' "$work/log")"
}

status=0
# finds_nothing CASES OPTION...
finds_nothing() {
  if simulate "small tasks: $1" "${@:2}" && [[ ! -s $work/log ]]; then
    echo "nothing found: $*"
  else
    cat "$work/output" "$work/log"
    echo "FAILED: $*"
    status=1
  fi
}

finds 'a data race' --data-races
finds 'unwritten memory' --uninitialized
finds 'an access out of bounds' --check-api
finds_nothing '*' --data-races --check-api
# What Oclgrind 21.10 knows of a buffer (its plugin Uninitialized) is only the last write of the
# host, wherever in the buffer that was, and it stays when the buffer is released, for the
# next one in its place. So a run over the whole device has one matrix only.
finds_nothing 'posteriors*' --uninitialized
finds_nothing 'consistency' --uninitialized
finds_nothing '*in one work-group' --uninitialized
finds_nothing 'one matrix*' --uninitialized
for states in 4 20 61; do finds_nothing "one likelihood of $states states" --uninitialized; done
finds_nothing '*peak*' --uninitialized
exit "$status"
