#!/usr/bin/env bash
# Builds both containers over a bare Debian and uses them, with a daemon of its own:
#   scripts/checks/containers.sh bookworm|trixie [TARBALL]
# TARBALL is what scripts/packaging/portable.sh made (that in build/portable). Says the sizes; the
# small one has at most 150 MB.
# Exits 77, with the reason, where no bare system can be made.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

[[ ${1:-} == bookworm || ${1:-} == trixie ]] || die 'say which system: bookworm or trixie'
tarball=${2:-$(find "$build/portable" -name 'accord-*.tar.gz' 2>/dev/null)}
[[ -f $tarball ]] || die 'there is no portable tarball: make it (scripts/packaging/portable.sh)'
bare_system "$1"
command -v dockerd >/dev/null || apt_install docker.io || cannot 'docker.io is missing'
work=$(mktemp -d)
leave() {
  [[ ! -e $work/pid ]] || { kill "$(<"$work/pid")" && tail --pid="$(<"$work/pid")" -f /dev/null; }
  umount "$work"/exec/netns/* 2>/dev/null || true
  rm -rf --one-file-system "$work" "$system"
}
trap leave EXIT
dockerd --data-root "$work/data" --exec-root "$work/exec" --pidfile "$work/pid" \
  --host "unix://$work/socket" --iptables=false --bridge=none >"$work/log" 2>&1 &
export DOCKER_HOST=unix://$work/socket DOCKER_BUILDKIT=0  # which needs nothing beside the daemon
timeout 120 bash -c 'until docker version; do sleep 0.5; done' >/dev/null 2>&1 ||
  { tail -n 3 "$work/log" >&2 && cannot 'dockerd does not start'; }

# Without what the images of Debian for containers leave out, too.
tar -C "$system" --exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*' \
  --exclude='./usr/share/locale/*' --exclude='./usr/share/man/*' --exclude='./root/accord' \
  --exclude='./usr/share/doc/*' -c . | docker import - base >/dev/null
mkdir -p "$work/context/build/portable/tree"
tar -C "$work/context/build/portable/tree" -xf "$tarball"
options=(-q --network=host --build-arg BASE=base -f "$root/scripts/packaging/Dockerfile")
run_logged "$build/docker.log" docker build "${options[@]}" --target small -t accord "$work/context"
run_logged "$build/docker.log" docker build "${options[@]}" -t accord:pocl "$work/context"

# in_container NAME [docker's options] -- [accord's options]: aligns standard input.
in_container() {
  local options=()
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  docker run --rm -i --network=none "${options[@]:1}" "${options[0]}" accord "$@"
}
example=$root/datasets/example
in_container accord -- - <"$example.fa" | cmp - "$example.aln"
in_container accord --read-only --tmpfs /tmp --user 12345 -- - <"$example.fa" | cmp - "$example.aln"
say 'passed: the small one gives the bytes, also read-only and for a user without a name'
# As Nextflow and Cromwell run a container.
docker run --rm -i --network=none accord /bin/bash -ue -c 'accord -' <"$example.fa" |
  cmp - "$example.aln"
say 'passed: a shell in it runs accord'
in_container accord:pocl --read-only --tmpfs /tmp -- - <"$example.fa" | cmp - "$example.aln"
status=0
output=$(in_container accord:pocl --read-only --tmpfs /tmp -- - --device cpu <"$example.fa" 2>&1) ||
  status=$?
[[ $status -eq 70 && $output == *noexec*POCL_CACHE_DIR* ]] || die "PoCL, where no program may run: \
exit code $status: $output"
in_container accord:pocl --read-only --tmpfs /tmp:exec -- - --device cpu <"$example.fa" |
  cmp - "$example.aln"
say 'passed: with PoCL, which is refused with a hint where what it compiles cannot run'
for image in accord accord:pocl; do
  size=$(($(docker image inspect --format '{{.Size}}' "$image") / 1000000))
  say "$image: $size MB"
  [[ $image != accord || $size -le 150 ]] || die "$image has more than 150 MB"
done
