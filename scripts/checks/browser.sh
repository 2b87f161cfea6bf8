#!/usr/bin/env bash
# Compiles accord for WebAssembly in a bare Debian 12, and tests it there in Chromium
# (tests/browser):
#   scripts/checks/browser.sh [STEP...]
# Steps (all, in this order, if none is named):
#   page     the page that aligns (scripts/packaging/browser.sh); 'page:TEST', such as
#            'page:BrowserTest.test_families', runs one test. The files of docs/app/ in that system
#            are copied to build/app/, for any server of files
#   biowasm  the program, by the recipe in scripts/packaging/recipes/biowasm
# Exits 77, with the reason, where that cannot be done; bare_system.sh says what a bare system
# needs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

# compile SCRIPT: in the clone.
compile() {
  run_logged "$build/browser-build.log" enter bash -euo pipefail -c "cd /root/accord && $1" ||
    die "the build failed (log: $build/browser-build.log)"
  say "browser: built in $((SECONDS - started)) s; $(tail -n 1 "$build/browser-build.log")"
}

# run_tests FILE TEST...: in Chromium.
run_tests() {
  # shellcheck disable=SC2016
  enter bash -euo pipefail -c 'cd /root/accord/tests/browser && python3 -B "$@"' \
    tests "$1" -v "${@:2}" || die 'browser: a test failed'
}

test_page() {
  compile scripts/packaging/browser.sh
  run_tests test_browser.py "$@"
  rm -rf "$build/app"
  mkdir "$build/app"
  cp "$system"/root/accord/docs/app/* "$build/app"
}

# As bin/compile.sh of biowasm runs the script, with its options of the linker.
test_biowasm() {
  local linker='-s USE_ZLIB=1 -s INVOKE_RUN=0 -s FORCE_FILESYSTEM=1'
  linker+=' -s EXPORTED_RUNTIME_METHODS=["callMain","FS","PROXYFS","WORKERFS"]'
  linker+=' -s MODULARIZE=1 -s ENVIRONMENT=web,worker -s ALLOW_MEMORY_GROWTH=1'
  linker+=' -lworkerfs.js -lproxyfs.js'
  compile "mkdir ../build && EM_FLAGS='$linker' scripts/packaging/recipes/biowasm/compile.sh"
  run_tests test_biowasm.py
}

steps=("$@")
[[ $# -gt 0 ]] || steps=(page biowasm)
bare_system bookworm
run_logged "$build/browser-packages.log" enter bash -euo pipefail -c '
  apt-get -q update
  apt-get -q install -y --no-install-recommends emscripten chromium chromium-driver doctest-dev \
    python3-minimal dpkg-dev bzip2 xz-utils
  cd /root/accord && apt-get -q build-dep -y --no-install-recommends ./scripts/packaging' ||
  die "the packages could not be installed (log: $build/browser-packages.log)"
for step in "${steps[@]}"; do
  say "browser: $step"
  started=$SECONDS
  case $step in
    page) test_page ;;
    page:*) test_page "${step#page:}" ;;
    biowasm) test_biowasm ;;
    *) die "unknown step $step" ;;
  esac
  say "browser: $step passed in $((SECONDS - started)) s"
done
