#!/usr/bin/env bash
# Does what README and documents say in a bare Debian, which has nothing that this machine has:
#   scripts/checks/fresh_machine.sh bookworm|trixie [STEP...]
# Steps (all, in this order, if none is named):
#   align    the README's first command, whose alignment must be datasets/example.aln
#   test     every test; 'test:GROUP,...' builds and runs these groups alone
#   install  cmake --install, and the installed program
#   example  the C++ example against the installed library
#   python   the Python package in an environment of its own
#   debian   the Debian packages: built, installed, used, removed
# Three more, for what scripts/packaging left in build/, in a system without a compiler:
#   tarball  the program gives datasets/example.aln, from where it was unpacked
#   wheel    its command and its module do, once pip has installed it
#   deb      the program does, once apt has installed it (of build/release/SYSTEM)
# A test that is skipped and not listed for the system in tests/skips.tsv fails the step.
# Exits 77, with the reason, where no bare system can be made (bare_system.sh says what it needs).
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

all_steps=(align test install example python debian)

# What each step does inside, from the clone.
step_script() {
  case $1 in
    align) cat <<'END' ;;
scripts/align.sh datasets/example.fa >/tmp/example.aln
cmp /tmp/example.aln datasets/example.aln
END
    test) echo 'scripts/test.sh all' ;;
    test:*) printf 'ACCORD_TEST_GROUPS=%q scripts/test.sh\n' "${1#test:}" ;;
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
    wheel) cat <<'END' ;;
apt-get update && apt-get install -y --no-install-recommends python3-venv
if command -v cc c++; then exit 1; fi
python3 -m venv env
version=$(sed -n 's/^project(accord VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
env/bin/pip install --only-binary :all: --find-links "$HOME/ready" "accord-aligner==$version"
cd datasets
../env/bin/accord example.fa | cmp - example.aln
../env/bin/python -c 'import accord; print(accord.align("example.fa").format("fasta"), end="")' |
  cmp - example.aln
END
    tarball) cat <<'END' ;;
if command -v cc c++; then exit 1; fi
tar -C /opt -xf "$HOME"/ready/accord-*.tar.gz
/opt/accord-*/bin/accord datasets/example.fa | cmp - datasets/example.aln
ls /opt/accord-*/share/man/man1/accord.1 /opt/accord-*/share/doc/accord/THIRD-PARTY.txt
END
    deb) cat <<'END' ;;
apt-get update && apt-get install -y --no-install-recommends "$HOME"/ready/accord_*.deb
if command -v cc c++; then exit 1; fi
accord datasets/example.fa | cmp - datasets/example.aln
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

bare_system "$suite"
mkdir "$system/root/ready"
find "$build/wheel" "$build/portable" "$build/release" "$build/release/$suite" -maxdepth 1 \
  \( -name '*.whl' -o -name '*-linux-*.tar.gz' -o -name '*.deb' \) \
  -exec cp -t "$system/root/ready" {} + 2>/dev/null || true
# shellcheck disable=SC2016  # what stands in single quotes is for the system inside
for step in "${steps[@]}"; do
  say "$suite: $step"
  started=$SECONDS
  { printf 'set -eo pipefail\ncd "$HOME/accord"\n' && step_script "$step"; } >"$system/root/step.sh"
  enter bash /root/step.sh </dev/null 2>&1 || die "$suite: $step failed"
  if [[ $step == test* ]]; then
    enter bash -c 'cd && python3 accord/scripts/checks/skips.py accord/build \
      --system "$1"' skips "$suite" || die "$suite: $step skipped something"
  fi
  say "$suite: $step passed in $((SECONDS - started)) s"
done
