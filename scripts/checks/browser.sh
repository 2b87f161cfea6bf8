#!/usr/bin/env bash
# Makes the page that aligns in a browser (scripts/packaging/browser.sh) in a bare Debian 12, and
# tests it there in Chromium (tests/browser):
#   scripts/checks/browser.sh [TEST...]      TEST: as BrowserTest.test_families (all)
# The files of docs/app/ in that system are copied to build/app/, for any server of files.
# Exits 77, with the reason, where that cannot be done; bare_system.sh says what a bare system
# needs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/checks/bare_system.sh
source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"

bare_system bookworm
# shellcheck disable=SC2016
run_logged "$build/browser-packages.log" enter bash -euo pipefail -c '
  apt-get -q update
  apt-get -q install -y --no-install-recommends emscripten chromium chromium-driver doctest-dev \
    python3-minimal dpkg-dev bzip2 xz-utils
  cd /root/accord && apt-get -q build-dep -y --no-install-recommends ./scripts/packaging' ||
  die "the packages could not be installed (log: $build/browser-packages.log)"
started=$SECONDS
run_logged "$build/browser-build.log" enter bash -c \
  'cd /root/accord && scripts/packaging/browser.sh' ||
  die "the build failed (log: $build/browser-build.log)"
say "browser: built in $((SECONDS - started)) s; $(tail -n 1 "$build/browser-build.log")"
enter bash -euo pipefail -c 'cd /root/accord/tests/browser && python3 -B test_browser.py -v "$@"' \
  tests "$@" || die 'browser: a test failed'
rm -rf "$build/app"
mkdir "$build/app"
cp "$system"/root/accord/docs/app/* "$build/app"
say "browser: passed; the page is in $build/app"
