"""Tests of the page that aligns in the browser, docs/app/index.html, in Chromium: its controls and
what it asks its worker for. The worker is one of these tests; scripts/checks/browser.sh tests the
real one."""
import json
import shutil
import subprocess
import sys
import unittest
from typing import Any

from pages import Chromium, PageHarness
from support import ACCORD, ROOT

sys.path.insert(0, str(ROOT / "tests" / "browser"))

# pylint: disable=wrong-import-position
from driver import Server

# Keeps what it is asked; a file is aligned if its text has a gap, and the page that it writes is
# the text of the first file.
WORKER = """
let first;
self.onmessage = ({ data }) => {
  if (data.module) {
    self.postMessage({ version: '0', formats: [{ name: 'fasta', suffix: '.fa' },
      { name: 'clustal', suffix: '.clw' }] });
    return;
  }
  const files = (data.files || []).map(({ name, bytes }) =>
    ({ name, text: new TextDecoder().decode(bytes) }));
  if (files.length) first = files[0].text;
  const answers = {
    inspect: () => ({ aligned: files.every(file => file.text.includes('-')) }),
    align: () => ({ sequences: 8, type: 'protein', columns: 9, memory: 0, warnings: [],
      asked: { files, options: data.options } }),
    view: () => ({ alignments: files.length, sequences: 2, type: 'protein', columns: 4, memory: 0,
      warnings: [], asked: { files, options: data.options } }),
    write: () => ({ bytes: new TextEncoder().encode(first) }),
  };
  self.postMessage({ id: data.id, ...answers[data.call]() });
};
"""
# Helpers in the page: waits until it is at rest; chooses files; keeps what workers are asked.
TOOLS = """
  var asked = [], open = 0;
  const call = Session.prototype.call;
  Session.prototype.call = async function(message, moved) {
    ++open;
    const found = await call.call(this, message, moved);
    asked.push([message.call, ...(found.asked ? [found.asked] : [])]);
    --open;
    return found;
  };
  var rest = async () => {
    for (let still = 0; still < 10; ++still) {
      await new Promise(done => setTimeout(done, 100));
      if (open || !part('stop').hidden) still = 0;
    }
  };
  var given = files => { const moved = new DataTransfer();
    for (const [name, text] of files) moved.items.add(new File([text], name));
    return moved; };
"""


class AppTest(PageHarness):
    """The page that aligns in the browser."""

    def setUp(self) -> None:
        super().setUp()
        shutil.copy(ROOT / "docs" / "app" / "index.html", self.directory)
        (self.directory / "accord.wasm").write_bytes(b"\0asm\1\0\0\0")
        self.write("accord.js", WORKER)
        self.server = Server(self.directory, {})
        self.addCleanup(self.server.close)
        self.browser = Chromium(self.directory / "profile", 1200, 900)
        self.addCleanup(self.browser.__exit__, None, None, None)
        self.browser.open(self.server.address + "index.html",
                          "part('status').textContent.endsWith('is ready.')")
        self.browser.run(TOOLS)

    def done(self, script: str) -> Any:
        """What the workers were asked for in a script, and what the page then says."""
        self.browser.run(f"asked.length = 0; {script}; rest()")
        return self.browser.run("({ asked, status: part('status').textContent, "
                                "problem: part('problem').textContent })")

    def test_paste(self) -> None:
        """Pasted text is aligned with the chosen options, or shown as it is."""
        self.assertTrue(self.browser.run("part('start').disabled && part('show').disabled"))
        found = self.done("""part('pasted').value = '>a\\nMK\\n';
            part('pasted').dispatchEvent(new Event('input'));
            part('type').value = 'rna'; part('refine').value = '5'; part('mode').value = 'local';
            part('start').click()""")
        files = [{"name": "pasted.txt", "text": ">a\nMK\n"}]
        self.assertEqual(found["asked"], [
            ["align", {"files": files, "options": "mode=local\nrefine=5\ntype=rna"}], ["write"]])
        self.assertIn("8 sequences (protein), 9 columns", found["status"])
        found = self.done("part('show').click()")
        self.assertEqual(found["asked"], [["view", {"files": files, "options": "type=rna"}],
                                          ["write"]])
        self.assertTrue(self.browser.run("""(part('pasted').value = ' ',
            part('pasted').dispatchEvent(new Event('input')), part('start').disabled)"""))

    def test_example(self) -> None:
        """One click aligns the example, which is that of the repository."""
        found = self.done("part('example').click()")
        text = (ROOT / "datasets" / "example.fa").read_text(encoding="utf-8")
        self.assertEqual(found["asked"], [
            ["align", {"files": [{"name": "pasted.txt", "text": text}],
                       "options": "mode=posterior"}], ["write"]])

    def test_files(self) -> None:
        """Several files that are dropped: alignments are shown at once, sequences wait for the
        button, by which they are one family."""
        found = self.done("""document.dispatchEvent(new DragEvent('drop',
            { dataTransfer: given([['a.fa', '>a\\nM-K'], ['b.fa', '>b\\nMK-']]) }))""")
        files = [{"name": "a.fa", "text": ">a\nM-K"}, {"name": "b.fa", "text": ">b\nMK-"}]
        self.assertEqual(found["asked"], [["inspect"], ["view", {"files": files, "options": ""}],
                                          ["write"]])
        self.assertIn("2 alignments", found["status"])
        kinds = "[...part('kind').options].filter(o => !o.disabled).map(o => o.value)"
        self.assertEqual(self.browser.run(kinds), ["html"])
        found = self.done("""part('file').files = given([['a.fa', '>a\\nMK'], ['b.fa', '>b\\nMK']])
            .files; part('file').dispatchEvent(new Event('change'))""")
        self.assertEqual((found["asked"], found["status"]),
                         ([["inspect"]], "a.fa, b.fa: chosen."))
        found = self.done("part('start').click()")
        self.assertEqual(found["asked"][0][0], "align")
        self.assertEqual([file["name"] for file in found["asked"][0][1]["files"]],
                         ["a.fa", "b.fa"])
        self.assertEqual(self.browser.run(kinds), ["fasta", "clustal", "html", "report", "tree",
                                                   "confidence"])

    def test_choice_in_the_frame(self) -> None:
        """The page of two files, in its frame without an origin, shows the other one."""
        self.write("x.fa", ">a\nMKV\n")
        self.write("y.fa", ">b\nMKVL\n")
        subprocess.run([ACCORD, "view", "x.fa", "y.fa", "-o", "p.html", "--no-confidence", "-q"],
                       check=True, cwd=self.directory)
        page = (self.directory / "p.html").read_text(encoding="utf-8")
        self.done(f"""part('file').files = given([['p.html', {json.dumps(page)}]]).files;
            part('file').dispatchEvent(new Event('change'))""")
        title = "document.getElementById('title').textContent"
        self.assertEqual(self.browser.run_in_frame(title), "x.fa")
        self.browser.run_in_frame("""(() => { const choice = document.getElementById('file');
            choice.value = '1'; choice.dispatchEvent(new Event('change')); })()""")
        for _ in range(100):
            if self.browser.run_in_frame(title) == "y.fa":
                return
            self.browser.run("new Promise(done => setTimeout(() => done(true), 50))")
        self.fail("the frame shows " + str(self.browser.run_in_frame("document.body.innerText")))


if __name__ == "__main__":
    unittest.main()
