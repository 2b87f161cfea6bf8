#!/usr/bin/env bash
# Runs scripts/batch_slurm.sh, and the workflows of Snakemake with its executor for SLURM, in a
# SLURM of one node (slurm-wlm and munge) in a bare Debian 12:
#   scripts/checks/slurm.sh
# An array of shards gives the bytes of one process, also by a plan. Single tasks that are started
# again align the missing families. TERM before the time limit leaves the complete families. Many
# families and a large one in jobs of Snakemake give these bytes, too. Exits 77, with the reason,
# where no bare system can be made.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

bare_system bookworm
cat >"$system/root/slurm.sh" <<'END'
set -euo pipefail
cd "$HOME/accord"
scripts/align.sh datasets/example.fa >/dev/null
apt-get -qq install -y --no-install-recommends slurm-wlm munge >/tmp/apt.log 2>&1 ||
  { cat /tmp/apt.log; exit 1; }
export PATH=$PWD/build:$PATH
host=$(uname -n)
grep -qw "$host" /etc/hosts 2>/dev/null || echo "127.0.0.1 localhost $host" >>/etc/hosts

mkdir -p /run/munge /var/lib/slurm /var/spool/slurmd /var/log/slurm
chown munge: /run/munge
[[ -e /etc/munge/munge.key ]] || mungekey --create
chown munge: /etc/munge/munge.key
setpriv --reuid munge --regid munge --clear-groups munged
cat >/etc/slurm/slurm.conf <<CONF
ClusterName=bare
SlurmctldHost=$host
SlurmUser=root
AuthType=auth/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
StateSaveLocation=/var/lib/slurm
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
KillWait=30
MessageTimeout=60
NodeName=$host CPUs=$(nproc) RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -L /var/log/slurm/ctld.log
slurmd -L /var/log/slurm/d.log
timeout 300 bash -c "until sinfo -h -o %T 2>/dev/null | grep -qE 'idle|mixed'; do sleep 0.5; done"

submit() { sbatch --parsable --wait --cpus-per-task=1 --mem=500 -o 'out-%a.log' "$@"; }
families=datasets/simulated
accord batch "$families" -O one -d none -q
same() { for f in one/*; do cmp "$f" "$1/${f##*/}"; done; }

submit --array=1-3 scripts/batch_slurm.sh 3 "$families" many -d none -q
same many
echo 'passed: an array of three shards gives the bytes of one process'

accord batch "$families" -O planned --plan plan.tsv -q
submit --array=1-3 scripts/batch_slurm.sh 3 plan.tsv planned -d none -q
same planned
echo 'passed: so do the shards of a plan'

rm many/report-2.json
mv many kept && mkdir many && cp kept/report-1.json kept/report-3.json many/
submit --array=2 scripts/batch_slurm.sh 3 "$families" many -d none -q
second=$(find many -type f ! -name 'report*' ! -name '.*' | wc -l)
all=$(find one -type f ! -name '.*' | wc -l)
[[ $second -gt 0 && $second -lt $all && -e many/report-2.json ]]
for f in many/*; do [[ $f == many/report* ]] || cmp "$f" "one/${f##*/}"; done
echo "passed: task 2 alone does the $second families of its shard"

one_missing=$(find kept -name '*.afa' | sort | head -n 1)
rm "$one_missing"
touch before
submit --array=1-3 scripts/batch_slurm.sh 3 "$families" kept -d none -q
same kept
[[ $(find kept -name '*.afa' -newer before) == "$one_missing" ]]
echo 'passed: tasks that are started again align the missing families, and nothing else'

if submit --array=4 scripts/batch_slurm.sh 3 "$families" many; then exit 1; fi
grep -q 'there is no shard 4 of 3' out-4.log
if bash scripts/batch_slurm.sh; then exit 1; fi
echo 'passed: errors are named'

apt-get -qq install -y --no-install-recommends python3-venv >>/tmp/apt.log 2>&1 ||
  { cat /tmp/apt.log; exit 1; }
python3 -m venv /tmp/snakemake
/tmp/snakemake/bin/pip install -q 'snakemake==9.*' 'snakemake-executor-plugin-slurm==2.*'
export PATH=/tmp/snakemake/bin:$PATH
# This SLURM has no accounting, and a node of 2 GB.
on_slurm() {
  snakemake -s "$1" --executor slurm --jobs 2 --slurm-no-account --slurm-status-command squeue \
    --default-resources mem_mb=500 runtime=10 "${@:2}" >snakemake.log 2>&1 ||
    { cat snakemake.log; exit 1; }
}
on_slurm scripts/batch.smk --set-threads align=1 --set-resources align:mem_mb=500 \
  --config families="$families" out=jobs shards=2 options='-d none -q'
same jobs
[[ $(grep -c '"status": "aligned"' jobs/report.json) -eq $all ]]
echo 'passed: the families by jobs of Snakemake'
python3 scripts/simulation/simulate_family.py --out huge --n 800 --length 60
accord huge.fa -d none -q -o huge.aln
on_slurm scripts/large.smk --set-threads core=1 place=1 join=1 \
  --set-resources core:mem_mb=500 place:mem_mb=500 join:mem_mb=500 \
  --config family=huge.fa out=jobs.aln shards=2 run='-d none -q'
cmp huge.aln jobs.aln
echo 'passed: a large family by jobs of Snakemake'

# More families than any machine aligns in the four minutes of the limit, the same one each time.
# TERM comes two minutes before it, or, as SLURM says of itself, up to one minute earlier.
mkdir large
for f in datasets/simulated/*_8.fa; do sed "s/^>/>$(basename "$f" .fa)/" "$f"; done >family.fa
accord family.fa -d none --type protein --large never >family.aln
for k in $(seq 5000); do ln family.fa "large/f$k.fa"; done
started=$SECONDS
if submit --array=1 --time=00:04:00 scripts/batch_slurm.sh 1 large stopped -d none -q \
  --type protein --large never; then exit 1; fi
[[ $((SECONDS - started)) -lt 240 ]]
grep -q 'finished families are kept' out-1.log || { cat out-1.log; exit 1; }
complete=$(find stopped -name '*.afa' | wc -l)
[[ $complete -gt 0 && $complete -lt 5000 ]]
for f in stopped/*.afa; do cmp "$f" family.aln; done
grep -q 'ended by SIGTERM' stopped/report-1.json
[[ -z $(find stopped -type f ! -name '*.afa' ! -name '.accord*' ! -name report-1.json) ]] ||
  { ls -A stopped; exit 1; }
echo "passed: TERM before the limit keeps the $complete complete families"
END
enter bash /root/slurm.sh </dev/null 2>&1 || {
  tail -n 20 "$system"/var/log/slurm/*.log 2>/dev/null
  die 'the check of SLURM failed'
}
say 'SLURM: all passed'
