#!/usr/bin/env bash
# Runs every fuzz target of a build folder for a while, from the seeds in tests/fuzz/corpus:
#   scripts/fuzz.sh BUILD [SECONDS]      (60 seconds each; stops at the first finding)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
build=${1:?usage: scripts/fuzz.sh BUILD [SECONDS]}
seconds=${2:-60}
targets=0
for target in "$build"/tests/fuzz_*; do
  [[ -x $target && ! -d $target ]] || continue
  targets=$((targets + 1))
  reader=${target##*/fuzz_}
  # What is found on the way goes to a folder of its own, not to the seeds.
  mkdir -p "$build/corpus/$reader"
  echo "fuzz $reader" >&2
  "$target" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -artifact_prefix="$build/" -print_final_stats=0 -verbosity=0 \
    "$build/corpus/$reader" "$root/tests/fuzz/corpus/$reader"
done
((targets > 0)) || {
  echo "fuzz: no targets in $build/tests; configure with clang, -DACCORD_FUZZ=ON and the tests" >&2
  exit 1
}
