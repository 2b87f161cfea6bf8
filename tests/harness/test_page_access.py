"""Tests of the page of an alignment at several widths, of contrast, names of controls and keys."""
import os
import struct
import unittest
from pathlib import Path

from pages import PageHarness

# The ratio of WCAG 2 of two colours that CSS names; of each control its name.
CHECKS = """
const rgbOf = colour => { const g = document.createElement('canvas').getContext('2d');
  g.fillStyle = colour; g.fillRect(0, 0, 1, 1); return [...g.getImageData(0, 0, 1, 1).data]; };
const ratio = (a, b) => { const [x, y] = [a, b].map(c => luminance(rgbOf(c)) + 0.05);
  return Math.max(x, y) / Math.min(x, y); };
const nameOf = e => (e.getAttribute('aria-label') || [...(e.labels || [])]
  .map(l => l.textContent).join(' ') || (e.tagName === 'BUTTON' ? e.textContent : '')).trim();
"""



class PageAccessTest(PageHarness):
    """Whether everyone can use the page, by rules of WCAG 2.2."""

    def test_widths(self) -> None:
        """At 400, 800 and 1,600 pixels nothing stands over the edge, and the alignment has room;
        ACCORD_SCREENSHOTS names a folder for the pictures."""
        folder = Path(os.environ.get("ACCORD_SCREENSHOTS", str(self.directory)))
        for name, page in (("page", self.example), ("ensemble", self.ensemble)):
            text = page()
            for width in (400, 800, 1600):
                with self.subTest(page=name, width=width):
                    self.check_width(text, width, folder / f"{name}_{width}.png")

    def check_width(self, page: str, width: int, picture: Path) -> None:
        """Checks a page, x.html, at a width, and takes a picture of it."""
        # The window of Chromium is 500 pixels wide or more, and so the page has a frame.
        frame = self.write("frame.html", "<body style='margin:0'><iframe src='x.html' "
                           f"style='border:0;width:{width}px;height:800px'></iframe>")
        self.chromium(f"--screenshot={picture}", "--window-size=1600,800", frame.as_uri())
        size = struct.unpack(">II", picture.read_bytes()[16:24])
        self.assertEqual(size, (1600, 800))
        self.assertGreater(picture.stat().st_size, 15000)  # blank: 5000
        found = self.driven(page, f"""
            document.documentElement.style.width = '{width}px';
            const found = {{}};
            const put = () => {{ resize(); paint(); }};
            put();
            found.over = [...document.querySelectorAll('header *')].filter(e =>
              e.getBoundingClientRect().right > {width} + 1).map(e => e.id || e.tagName);
            found.room = view.clientHeight; found.letters = view.clientWidth - left();
            const seen = screenInk.getImageData(left(), bodyTop(), 300, 100).data;
            found.colours = new Set(new Uint32Array(seen.buffer)).size;""", "",
            f"--window-size={max(500, width)},800")
        self.assertEqual(found["over"], [])
        for key, least in (("room", 300), ("letters", 200), ("colours", 20)):
            value = found[key]
            assert isinstance(value, (int, float))
            self.assertGreater(value, least, key)

    def test_contrast(self) -> None:
        """Letters on every colour, and texts, in light and in dark: 4.5 to 1; edges of controls
        3 to 1."""
        page = self.example()
        script = CHECKS + """
            const found = { dark: dark.matches, least: 99, of: '', texts: [], edges: [] };
            const modes = [...$('colour').options].map(o => o.value);
            for (const mode of modes) for (const goes of [0, 1]) {
              cut = goes ? new Uint8Array(msa.columns).fill(1) : null;
              takeTiles(mode, 1);
              for (let i = 0; i < msa.start[count]; ++i) for (let code = 0; code < 12; ++code) {
                msa.codes[i] = code;
                if (tiles[keyOf(i, msa.column[i])]) continue;
                const tile = tileOf(i, msa.column[i]);
                const here = ratio(tile.fill || css(backColour()), tile.text);
                if (here < found.least) { found.least = here; found.of = mode + msa.letter[i]; }
              }
            }
            const style = getComputedStyle(document.documentElement);
            const named = name => style.getPropertyValue('--' + name).trim();
            for (const text of ['text', 'soft', 'mark']) for (const back of ['back', 'bar'])
              found.texts.push(ratio(named(text), named(back)));
            for (const edge of ['edge', 'focus', 'mark']) for (const back of ['back', 'bar'])
              found.edges.push(ratio(named(edge), named(back)));
            for (const canvasText of [textColour(), softColour(), markColour()])
              found.texts.push(ratio(canvasText, css(backColour())));"""
        for scheme, is_dark in ((1, False), (0, True)):
            found = self.driven(page, script, "", f"--blink-settings=preferredColorScheme={scheme}")
            self.assertEqual(found["dark"], is_dark)
            least, texts, edges = found["least"], found["texts"], found["edges"]
            assert isinstance(least, float) and isinstance(texts, list) and isinstance(edges, list)
            self.assertGreaterEqual(least, 4.5, found["of"])
            self.assertGreaterEqual(min(texts), 4.5, texts)
            self.assertGreaterEqual(min(edges), 3, edges)

    def test_controls(self) -> None:
        """Every control has a name, is at least 24 pixels high (or its label) and has its place in
        the order of the page; keys act in the alignment alone, and Tab leaves it."""
        self.check_controls(self.example())

    def test_controls_of_an_ensemble(self) -> None:
        """The same of a page with a choice of alignments."""
        self.check_controls(self.ensemble())

    def check_controls(self, page: str) -> None:
        """Checks the controls of a page."""
        found = self.driven(page, CHECKS + """
            $('trim').onclick();
            const controls = [...document.querySelectorAll('button, input, select, [tabindex]')];
            const seen = controls.filter(e => e.getClientRects().length);
            const key = (target, name) => { const e = new KeyboardEvent('keydown',
              { key: name, bubbles: true, cancelable: true });
              target.dispatchEvent(e); return e.defaultPrevented; };
            const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
            const found = { unnamed: controls.filter(e => !nameOf(e)).map(e => e.id),
              low: seen.filter(e => e.offsetHeight < 24 &&
                !(e.labels && [...e.labels].some(l => l.offsetHeight >= 24))).map(e => e.id),
              jumps: controls.filter(e => e.tabIndex > 0).length,
              twice: ids.filter((id, k) => ids.indexOf(id) !== k),
              dialogs: [...document.querySelectorAll('dialog')].every(d =>
                $(d.getAttribute('aria-labelledby'))),
              landmarks: ['header', 'main', 'footer', 'h1'].map(t =>
                document.querySelectorAll(t).length),
              taken: [key(view, 'ArrowRight'), key(view, 'Tab'), key($('help'), 'u'),
                      key($('rows'), 'ArrowDown')],
              ring: getComputedStyle(document.querySelector('.ring')).borderTopWidth,
              column: cursor.column, said: $('said').textContent };
            const before = $('said').textContent;
            tell({ row: 2, column: 5 }, false);
            found.pointer = [$('said').textContent, $('status').textContent].map(t =>
              t === before);""")
        self.assertEqual({key: found[key] for key in ("unnamed", "low", "jumps", "twice")},
                         {"unnamed": [], "low": [], "jumps": 0, "twice": []})
        self.assertTrue(found["dialogs"])
        self.assertEqual(found["ring"], "2px")  # of the focus, around the alignment
        self.assertEqual(found["landmarks"], [1, 1, 1, 1])
        self.assertEqual((found["taken"], found["column"]), ([True, False, False, False], 1))
        self.assertIn("column 2", str(found["said"]))
        self.assertEqual(found["pointer"], [True, False])


if __name__ == "__main__":
    unittest.main()
