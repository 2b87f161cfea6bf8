#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A directory of families as a SLURM array, one shard a task; a task that is started again does only
# what is missing. The time limit sends TERM two minutes before the end, and what is complete then
# stays complete.
#   sbatch --array=1-16 scripts/batch_slurm.sh FAMILIES ALIGNMENTS [options of accord batch]
#   sbatch --array=1-16 --gres=gpu:1 scripts/batch_slurm.sh FAMILIES ALIGNMENTS --device gpu
#SBATCH --job-name=accord
#SBATCH --cpus-per-task=8
#SBATCH --mem=16G
#SBATCH --time=04:00:00
#SBATCH --signal=TERM@120
#SBATCH --requeue
set -euo pipefail
families=$1
alignments=$2
shift 2
shard="${SLURM_ARRAY_TASK_ID:-1}/${SLURM_ARRAY_TASK_COUNT:-1}"
mkdir -p "$alignments"
exec accord batch "$families" -O "$alignments" --shard "$shard" --resume \
  --report "$alignments/report-${shard%/*}.json" "$@"
