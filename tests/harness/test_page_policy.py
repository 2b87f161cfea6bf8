"""Tests of pages and pictures with texts from elsewhere: no script, nothing that XML forbids."""
import base64
import hashlib
import json
import re
import unittest
import xml.etree.ElementTree

from pages import EXAMPLE, PageHarness


class PagePolicyTest(PageHarness):
    """The Content-Security-Policy of pages, and odd characters in names."""

    def test_policy(self) -> None:
        """A page runs its script and no other: neither one that stands in it, nor an attribute,
        and it loads nothing."""
        page = self.example()
        self.write("x.html", page)
        opened = self.chromium("--dump-dom", (self.directory / "x.html").as_uri())
        self.assertRegex(opened, r"8 sequences, \d+ columns, protein, mean confidence")
        self.assertIn("<title>example.fa - accord</title>", opened)
        self.assertNotIn("Refused to", opened)
        evil = page.replace("</body>", """<script>document.title = 'run'</script>
            <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" onload="document.title = 'run'"
              onerror="document.title = 'run'">
            <style>h1 { display: none }</style></body>""")
        self.assertNotEqual(evil, page)
        for text, is_run in ((evil, False), (re.sub("<meta http-equiv[^\n]*", "", evil), True)):
            self.write("evil.html", text)
            opened = self.chromium("--dump-dom", (self.directory / "evil.html").as_uri())
            self.assertEqual("<title>run</title>" in opened, is_run)
        closed = self.driven(page, """
            openBox('helpbox');
            const found = { open: $('helpbox').open };
            document.querySelector('#helpbox button').click();
            found.closed = !$('helpbox').open;
            found.shown = getComputedStyle($('trimbar')).display;""")
        self.assertEqual(closed, {"open": True, "closed": True, "shown": "none"})

    def test_policy_of_the_index(self) -> None:
        """The index of a batch has its style, and names of families are text, whatever is in
        them."""
        name = "a<b>\x01\uffff&"
        self.write("list", f"{name}\t{EXAMPLE}\n")
        self.accord("batch", "list", "-O", "out", "--device", "none", "--beside", "page")
        page = (self.directory / "out" / "index.html").read_text(encoding="utf-8")
        self.assertIn("a&lt;b&gt;\ufffd\ufffd&amp;</a>", page)
        self.assertNotRegex(page, "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
        style = re.search("<style>(.*?)</style>", page, re.S)
        assert style
        digest = base64.b64encode(hashlib.sha256(style.group(1).encode()).digest()).decode()
        self.assertIn(f"content=\"default-src 'none'; style-src 'sha256-{digest}'; ", page)

    def test_pictures_are_xml(self) -> None:
        """Names with what XML forbids."""
        odd = ["\uffff\ufffe", "\x01\x1f", "<&\">'", "\U0001f9ec\t."]
        found = self.driven(self.example(), f"""
            {json.dumps(odd)}.forEach((name, k) => {{ data.names[k] = name; }});
            data.names[4] = 'half \\ud83e'; data.names[5] = '\\udd9e half';
            resize();
            const found = {{ picture: svgText() }};""")
        root = xml.etree.ElementTree.fromstring(str(found["picture"]))
        texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"\ufffd\ufffd", "<&\">'", "half \ufffd", "\ufffd half"}, texts)


if __name__ == "__main__":
    unittest.main()
