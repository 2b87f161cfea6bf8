#!/usr/bin/env bash
# Makes the site in build/pages/: the documents, and in app/ the page that aligns in a browser:
#   scripts/packaging/pages.sh
# Needs root, for the bare Debian 12 in which the page is made and tested
# (scripts/checks/browser.sh), where that has not left it in build/app/.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

prepare build
install_extra python3-venv >&2
"$root/scripts/checks/docs.sh" "$build" || die 'the documents could not be made (see above)'
[[ -f $build/app/accord.wasm ]] || "$root/scripts/checks/browser.sh" page ||
  die 'the page for browsers could not be made (see above)'
rm -rf "$build/pages"
cp -r "$build/docs" "$build/pages"
mkdir -p "$build/pages/app"
cp "$build"/app/* "$build/pages/app/"
"$root/scripts/packaging/pages/isolate.sh" "$build/pages/app"
say "the site is $build/pages; any server of files can give it out"
