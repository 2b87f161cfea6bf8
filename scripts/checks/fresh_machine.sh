#!/usr/bin/env bash
# Does what README and documents say in a bare Debian, which has nothing that this machine has:
#   scripts/checks/fresh_machine.sh bookworm|trixie [STEP...]
# Steps (all, in this order, if none is named):
#   align    the README's first command, whose alignment must be datasets/example.aln
#   test     the README's second command; 'test:REGEX' runs the CTest groups of that label alone
#   install  cmake --install, and the installed program
#   example  the C++ example against the installed library
#   python   the Python package in an environment of its own
#   debian   the Debian packages: built, installed, used, removed
# A test that is skipped and not listed for the system in tests/skips.tsv fails the step.
# The committed tree is cloned into a minimal system made by debootstrap. Minimal systems and
# downloaded packages are kept in ACCORD_MACHINES ($XDG_CACHE_HOME/accord/machines) and copied for
# each run. Mirror, keys, proxies and certificates are those of this machine's apt and pip.
# Needs root and debootstrap (installed by apt if it is missing). Exits 77, with the reason, where
# no system can be made.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

all_steps=(align test install example python debian)
machines=${ACCORD_MACHINES:-${XDG_CACHE_HOME:-$HOME/.cache}/accord/machines}
days_kept=30  # a minimal system is made anew after that

cannot() {
  say "SKIPPED: no bare system here: $1"
  exit 77
}

# The URI of the Debian archive that this machine's apt uses.
mirror() {
  apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
    sed -n 's/^Debian Debian //p' | sort -u | head -n 1
}

# make_minimal SUITE TAR: a minimal system as a tar file.
make_minimal() {
  local suite=$1 tar=$2 uri made
  [[ $(id -u) -eq 0 ]] || cannot 'this is not root'
  command -v debootstrap >/dev/null || apt_install debootstrap || cannot 'debootstrap is missing'
  uri=$(mirror)
  [[ -n $uri ]] || cannot 'apt has no archive of Debian'
  made=$(mktemp -d "$machines/made.XXXXXX")
  say "making a minimal $suite"
  if ! run_logged "$tar.log" debootstrap --variant=minbase "$suite" "$made" "$uri"; then
    rm -rf --one-file-system "$made"
    cannot "debootstrap fails (log: $tar.log)"
  fi
  rm -f "$made"/var/cache/apt/archives/*.deb
  tar -C "$made" -cf "$tar.part" .
  mv "$tar.part" "$tar"
  rm -rf --one-file-system "$made"
}

# The settings of this machine's apt and pip that say how the network is reached.
copy_network_settings() {
  local system=$1 name value
  cp -L /etc/resolv.conf "$system/etc/resolv.conf"
  apt-config dump | grep -E '^Acquire::(http|https|Check-)' >"$system/etc/apt/apt.conf.d/90network" ||
    true
  command -v pip3 >/dev/null || return 0
  printf '[global]\n' >"$system/etc/pip.conf"
  while IFS='=' read -r name value; do
    name=${name#*.}
    name=${name#.}
    value=${value#\'}
    value=${value%\'}
    if [[ $value == /* ]]; then  # a certificate comes along, other local paths do not
      [[ -f $value ]] || continue
      mkdir -p "$system/$(dirname "$value")"
      cp -L "$value" "$system/$value"
    fi
    printf '%s = %s\n' "$name" "$value" >>"$system/etc/pip.conf"
  done < <(pip3 config list 2>/dev/null | sort -u -t. -k2)
}

# enter SYSTEM COMMAND...: runs a command in the system, as on a machine of its own; what it starts
# ends with it.
enter() {
  local system=$1 kept=()
  shift
  mapfile -t kept < <(env | grep -iE '^(https?|ftp|no)_proxy=' || true)
  # shellcheck disable=SC2016
  unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
    system=$1 machines=$2 suite=$3
    shift 3
    mount --make-rprivate /
    mount -t proc proc "$system/proc"
    mount --rbind /sys "$system/sys"
    mount --rbind /dev "$system/dev"
    mkdir -p "$machines/$suite.archives" "$machines/pip" "$system/root/.cache/pip"
    mount --bind "$machines/$suite.archives" "$system/var/cache/apt/archives"
    mount --bind "$machines/pip" "$system/root/.cache/pip"
    exec chroot "$system" "$@"' enter "$system" "$machines" "$suite" \
    env -i HOME=/root TERM=dumb PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    CI=true ${ACCORD_FUZZ_SECONDS:+"ACCORD_FUZZ_SECONDS=$ACCORD_FUZZ_SECONDS"} "${kept[@]}" "$@"
}

# What each step does inside, from the clone.
step_script() {
  case $1 in
    align) cat <<'END' ;;
scripts/align.sh datasets/example.fa >/tmp/example.aln
cmp /tmp/example.aln datasets/example.aln
END
    test*)
      [[ $1 == test ]] || printf 'set -- -L %q\n' "${1#test:}"
      cat <<'END' ;;
scripts/test.sh "$@"
END
    install) cat <<'END' ;;
cmake --build build && cmake --install build --prefix "$HOME/.local"
"$HOME/.local/bin/accord" datasets/example.fa | cmp - datasets/example.aln
END
    example) cat <<'END' ;;
cmake -G Ninja -S examples/cpp -B build/example -DCMAKE_PREFIX_PATH="$HOME/.local"
cmake --build build/example && build/example/example
END
    python) cat <<'END' ;;
apt-get install -y --no-install-recommends python3-venv python3-dev
python3 -m venv env
env/bin/pip install '.[test]'
ACCORD_PROGRAM=build/accord env/bin/python -m pytest -p no:cacheprovider tests/python
END
    debian) cat <<'END' ;;
scripts/packaging/debian.sh
apt-get install -y --no-install-recommends ./build/debian/accord_*.deb
(cd / && accord /root/accord/datasets/example.fa) | cmp - datasets/example.aln
apt-get remove -y accord
! command -v accord
END
    *) die "unknown step $1" ;;
  esac
}

suite=${1:-}
[[ $suite == bookworm || $suite == trixie ]] || die "say which system: bookworm or trixie"
shift
steps=("$@")
[[ $# -gt 0 ]] || steps=("${all_steps[@]}")
for step in "${steps[@]}"; do step_script "$step" >/dev/null; done

mkdir -p "$build" "$machines"
if [[ -z $(find "$machines/$suite.tar" -mtime "-$days_kept" 2>/dev/null) ]]; then
  make_minimal "$suite" "$machines/$suite.tar"
fi
unshare --mount --pid --fork true 2>/dev/null || cannot 'unshare has no permission'
system=$(mktemp -d "$machines/run.XXXXXX")
trap 'rm -rf --one-file-system "$system"' EXIT
tar -C "$system" -xf "$machines/$suite.tar"
copy_network_settings "$system"
git clone -q --no-hardlinks "$root" "$system/root/accord"

for step in "${steps[@]}"; do
  say "$suite: $step"
  started=$SECONDS
  { printf 'set -eo pipefail\ncd "$HOME/accord"\n' && step_script "$step"; } >"$system/root/step.sh"
  enter "$system" bash /root/step.sh 2>&1 || die "$suite: $step failed"
  if [[ $step == test* ]]; then
    enter "$system" bash -c 'cd && python3 accord/scripts/checks/skips.py accord/build \
      --system "$1"' skips "$suite" || die "$suite: $step skipped something"
  fi
  say "$suite: $step passed in $((SECONDS - started)) s"
done
