#!/usr/bin/env bash
# Gives the page for browsers in FOLDER, for a server that sends no headers of ours, the worker that
# adds them (isolate.js), so that it has threads:
#   scripts/packaging/pages/isolate.sh FOLDER
set -euo pipefail
folder=$1
here=$(dirname "${BASH_SOURCE[0]}")
cp "$here/isolate.js" "$folder/"
# A page is loaded once more when the worker has it; a browser without workers, or one that refuses
# them (a private window), computes with one thread.
python3 - "$folder/index.html" <<'END'
import sys
from pathlib import Path

page = Path(sys.argv[1])
text = page.read_text(encoding="utf-8")
for old, new in (("worker-src blob:;", "worker-src 'self' blob:;"),
                 ("<script>\n", """<script>
if (!crossOriginIsolated && "serviceWorker" in navigator) {
  const had = navigator.serviceWorker.controller;
  navigator.serviceWorker.register("isolate.js").then(() => navigator.serviceWorker.ready)
    .then(() => had || location.reload(), () => {});
}
</script>
<script>
""")):
    if text.count(old) != 1:
        sys.exit(f"{page} does not have {old.strip()} once: isolate.sh must follow it")
    text = text.replace(old, new)
page.write_text(text, encoding="utf-8")
END
