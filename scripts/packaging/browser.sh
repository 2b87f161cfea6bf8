#!/usr/bin/env bash
# Makes the page that aligns in a browser: compiles accord for WebAssembly, and puts accord.js and
# accord.wasm, the same with threads (accord-threads.*), and the licences of the libraries inside
# (THIRD-PARTY.txt) beside docs/app/index.html:
#   scripts/packaging/browser.sh
# Any server of files can give out docs/app/, such as python3 -m http.server -d docs/app.
# Needs Debian 12 with emscripten, ccache or not, and what dependencies.sh needs.
set -euo pipefail
# shellcheck source=scripts/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"
# shellcheck source=scripts/packaging/notices.sh
source "$(dirname "${BASH_SOURCE[0]}")/notices.sh"

command -v em++ >/dev/null || die 'needs em++ (Debian: emscripten)'
prefix=$build/browser/prefix
export NODE_PATH=/usr/share/nodejs  # of Emscripten's scripts, where node is not Debian's
mkdir -p "$build/browser"
# Libraries that are compiled for threads can be linked without them, too, but not accord: in
# Emscripten 3.1.6 its thread_local variables then begin with other values.
[[ -f $prefix/lib/libnlopt.a ]] ||
  "$root/scripts/packaging/dependencies.sh" "$root/cmake/emscripten-threads.cmake" "$prefix"
for name in emscripten emscripten-threads; do
  work=$build/browser/$name
  run_logged "$work.log" cmake -G Ninja --toolchain "$root/cmake/$name.cmake" -S "$root" \
    -B "$work" -DCMAKE_BUILD_TYPE=Release -DCMAKE_FIND_ROOT_PATH="$prefix" \
    -DACCORD_PHYLOGENY=OFF -DACCORD_TESTS=OFF ||
    die "cmake could not configure the build (log: $work.log)"
  run_logged "$work-build.log" cmake --build "$work" --target accord_page ||
    die "the build failed (log: $work-build.log)"
  cp "$work"/app/accord* "$root/docs/app/"
done
notices_foreign 'emscripten stands for its run-time libraries (musl, libc++, compiler-rt, too).' \
  emscripten >"$root/docs/app/THIRD-PARTY.txt"
say "docs/app/accord.wasm has $(stat -c %s "$root/docs/app/accord.wasm") bytes," \
  "$(gzip -9c "$root/docs/app/accord.wasm" | wc -c) as gzip"
