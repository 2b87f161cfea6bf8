#!/usr/bin/env bash
# Makes the simulated families again; the same bytes each time. Run it from anywhere:
#   datasets/make.sh [DIR]      (DIR: where to write instead of this directory)
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
out=${1:-$here}
mkdir -p "$out/simulated"

family() {
  local name=$1
  shift
  python3 "$here/../scripts/simulation/simulate_family.py" --out "$out/$name" "$@"
}

family example                       --seed 7  --n 8  --length 110 --identity 0.40

# Proteins of any similarity
family simulated/close_24            --seed 1  --n 24 --length 80  --identity 0.80
family simulated/easy_8              --seed 2  --n 8  --length 120 --identity 0.60
family simulated/moderate_12         --seed 43 --n 12 --length 150 --identity 0.40
family simulated/remote_8            --seed 4  --n 8  --length 140 --identity 0.27
family simulated/remote_16           --seed 5  --n 16 --length 100 --identity 0.25
family simulated/twilight_6          --seed 44 --n 6  --length 200 --identity 0.20
family simulated/long_4              --seed 7  --n 4  --length 400 --identity 0.35
family simulated/short_20            --seed 46 --n 20 --length 30  --identity 0.50

# Long gaps, extensions, repeats, swapped domains, low complexity
family simulated/long_gaps_8         --seed 11 --n 8  --length 180 --identity 0.40 --max-indel 80
family simulated/long_gaps_16        --seed 12 --n 16 --length 200 --identity 0.50 --max-indel 120 --indel-rate 0.04
family simulated/extensions_10       --seed 13 --n 10 --length 120 --identity 0.45 --extend 60
family simulated/extensions_remote_6 --seed 14 --n 6  --length 110 --identity 0.30 --extend 140
family simulated/repeats_8           --seed 43 --n 8  --length 160 --identity 0.50 --repeat 4
family simulated/repeats_12          --seed 16 --n 12 --length 210 --identity 0.40 --repeat 6
family simulated/swapped_8           --seed 17 --n 8  --length 180 --identity 0.50 --shuffle 0.25
family simulated/swapped_6           --seed 18 --n 6  --length 240 --identity 0.35 --shuffle 0.5
family simulated/low_complexity_8    --seed 19 --n 8  --length 140 --identity 0.45 --low-complexity 40
family simulated/low_repeats_6       --seed 20 --n 6  --length 150 --identity 0.50 --low-complexity 16 --repeat 3

# Unusual records
family simulated/odd_letters_10      --seed 21 --n 10 --length 120 --identity 0.45 --unknown 0.04 --ambiguous 0.2 --lower 0.3
family simulated/duplicates_12       --seed 22 --n 12 --length 90  --identity 0.45 --duplicates 5
family simulated/fragments_8         --seed 23 --n 8  --length 110 --identity 0.50 --fragments 1,12

# Nucleotides
family simulated/dna_8               --seed 31 --n 8  --length 200 --identity 0.75 --type dna
family simulated/dna_gaps_12         --seed 32 --n 12 --length 250 --identity 0.65 --type dna --kappa 3 --gc 0.35 --max-indel 50 --unknown 0.01
family simulated/rna_10              --seed 33 --n 10 --length 120 --identity 0.65 --type rna --gc 0.55
family simulated/rna_lower_6         --seed 34 --n 6  --length 100 --identity 0.80 --type rna --lower 0.5 --ambiguous 0.02
