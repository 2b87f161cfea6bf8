#!/usr/bin/env bash
# Writes PTX of the posterior kernel for teams of a size, with the lines of its source, as
# scripts/research/posterior_profile.cpp takes it. Further arguments are clang's.
#   scripts/research/posterior_ptx.sh KERNELS TEAM [OPTION...] > FILE
# Debian 12: clang-15 and libclc-15, which may be unpacked in ACCORD_OFFLINE_ROOT.
set -euo pipefail
kernels=$1 team=$2
shift 2
group=$((team > 32 ? team : 32))
library=${ACCORD_OFFLINE_ROOT:-}/usr/lib/clc/nvptx64--nvidiacl.bc
cc1=(-target-cpu sm_80 -target-feature +ptx72 -finclude-default-header
  -mlink-builtin-bitcode "$library")
options=()
for option in "${cc1[@]}"; do options+=(-Xclang "$option"); done
# clang 15 does not know sm_90, and names folders of sources in a way that ptxas does not read.
clang-15 -x cl -cl-std=CL1.2 -DACCORD_LANES=1 -DACCORD_TEAM="$team" -DACCORD_GROUP="$group" "$@" \
  -I"$kernels" -target nvptx64--nvidiacl "${options[@]}" -O3 -gline-directives-only -nogpulib -S \
  "$kernels/posteriors/posterior_group.cl" -o - |
  sed -E -e 's/^(\s*\.file\s+[0-9]+) "[^"]*" "([^"]*)"/\1 "\2"/' \
    -e 's/^\.version .*$/.version 7.8/' -e 's/\.target sm_80/.target sm_90/'
