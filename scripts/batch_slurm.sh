#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A directory of families, or a manifest, in shards, as a SLURM array:
#   sbatch --array=1-16 scripts/batch_slurm.sh 16 FAMILIES ALIGNMENTS [options of accord batch]
#   sbatch --array=3,7 scripts/batch_slurm.sh 16 FAMILIES ALIGNMENTS     these two of the 16 again
#   sbatch --array=1-16 --gres=gpu:1 scripts/batch_slurm.sh 16 FAMILIES ALIGNMENTS --device gpu
# A manifest with the cells of each family ('accord batch FAMILIES -O ALIGNMENTS --plan MANIFEST')
# makes the shards about equally long.
# Each task of the array aligns the shard of its number. A task that is started again aligns only
# the families that are missing. Two minutes before the time limit the task gets TERM: it keeps
# complete families, and nothing else.
#SBATCH --job-name=accord
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=04:00:00
#SBATCH --signal=B:TERM@120
#SBATCH --requeue
set -euo pipefail

usage() {
  printf 'accord: error: %s\n' "$1" >&2
  printf 'usage: sbatch --array=1-SHARDS batch_slurm.sh SHARDS FAMILIES ALIGNMENTS [options]\n' >&2
  exit 2
}

[[ $# -ge 3 ]] || usage 'SHARDS, FAMILIES and ALIGNMENTS are needed'
shards=$1 families=$2 alignments=$3
shift 3
[[ $shards =~ ^[1-9][0-9]*$ ]] || usage "'$shards' is not a number of shards"
shard=${SLURM_ARRAY_TASK_ID:-}
[[ -n $shard ]] || usage 'this is no task of an array: --array says which shards'
[[ $shard -ge 1 && $shard -le $shards ]] || usage "there is no shard $shard of $shards"
mkdir -p -- "$alignments"
# exec: the signal goes to this process, which is then accord.
exec accord batch "--out-dir=$alignments" --shard "$shard/$shards" --resume \
  "--report=$alignments/report-$shard.json" "--multiqc=$alignments/accord-${shard}_mqc.tsv" "$@" \
  -- "$families"
