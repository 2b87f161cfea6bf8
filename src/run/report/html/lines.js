// What stands between the tracks and the rows: a logo, and lines of markup such as SS and RF.
const LOGO = 60;
const logoHeight = () => $('logo').checked ? LOGO : 0;
const CANONICAL = data.type === 'protein' ? 'ACDEFGHIKLMNPQRSTVWY'
  : data.type === 'rna' ? 'ACGU' : 'ACGT';

// The letters of a column from the lowest to the highest, with their bits: as `accord view --logo`
// has them, with the correction for small samples of Schneider et al. (1986).
function logoColumn(c) {
  const seen = l => msa.counts[c * PLACES + placeOf(l.charCodeAt(0))];
  const of = l => seen(l) + (data.type !== 'protein' && 'TU'.includes(l) ? seen(l === 'T' ? 'U' : 'T') : 0);
  const counts = [...CANONICAL].map(l => [l, of(l)]).filter(([, n]) => n);
  const total = counts.reduce((sum, [, n]) => sum + n, 0), s = CANONICAL.length;
  if (!total) return [];
  const entropy = counts.reduce((sum, [, n]) => sum - n / total * Math.log2(n / total), 0);
  const bits = Math.max(0, Math.log2(s) - entropy - (s - 1) / (2 * Math.LN2 * total));
  return counts.sort((a, b) => a[1] - b[1]).map(([l, n]) => [l, n / total * bits]);
}
function letterColour(letter) {
  const scheme = schemes[$('colour').value];
  if (scheme.fill[letter]) return scheme.fill[letter][0];
  return scheme.rules[letter] ? scheme.rules[letter][0][0] : textColour();
}
const outlines = {};
function fillShape(letter, x, y, w, h) {
  const path = DRAWING.outlines[letter];
  if (ink !== screenInk) { ink.shape(path, x, y, w, h); return; }
  outlines[letter] = outlines[letter] || new Path2D(path);
  ink.save(); ink.translate(x, y); ink.scale(w, h); ink.fill(outlines[letter], 'evenodd');
  ink.restore();
}
function paintLogo(v, sx) {
  if (!logoHeight() || cell < 4) return;
  const scale = (LOGO - 4) / Math.log2(CANONICAL.length);
  for (let k = v.c0; k < v.c1; ++k) {
    const c = columnsShown[k], w = (cell - 0.5) * msa.residues[c] / count;
    let bottom = logoTop() + LOGO - 2;
    for (const [letter, bits] of logoColumn(c)) {
      bottom -= bits * scale;
      if (bits * scale < 0.5) continue;
      ink.fillStyle = letterColour(letter);
      fillShape(letter, sx + (k + 0.5) * cell - w / 2, bottom, w, bits * scale);
    }
  }
}

// Lines of the alignment, and, one for each tag, those of the row of the cursor.
const linesOf = data.lines.filter(line => line.row === undefined);
const rowLines = new Map();  // [tag and row]
for (const line of data.lines)
  if (line.row !== undefined) rowLines.set(`${line.tag} ${line.row}`, line.text);
const rowTags = [...new Set(data.lines.filter(line => line.row !== undefined).map(l => l.tag))];
const MOST_LINES = 8;
function linesShown() {
  if (!data.lines.length || !$('lines').checked || msa !== decoded[0]) return [];
  const ofRow = rowTags.map(tag => ({ tag: `${data.names[cursor.row]} ${tag}`, isStructure:
    /^ss/i.test(tag), text: rowLines.get(`${tag} ${cursor.row}`) || '' }));
  return [...linesOf.map(line => ({ ...line, isStructure: /^ss/i.test(line.tag) })), ...ofRow]
    .slice(0, MOST_LINES);
}
const linesHeight = () => hasNames() ? linesShown().length * lineHeight() : 0;
// Helices of proteins are drawn as waves and strands as arrows; all else as its letter.
const ELEMENTS = { H: 'helix', G: 'helix', I: 'helix', E: 'strand', B: 'strand' };
function paintLines(v, sx) {
  linesShown().forEach((line, n) => {
    const top = linesTop() + n * lineHeight();
    const element = k => line.isStructure && data.type === 'protein' ?
      ELEMENTS[line.text[columnsShown[k]]] : undefined;
    for (let k = v.c0, end = k; k < v.c1; k = end) {
      const kind = element(k);
      let first = k;
      while (kind && first > 0 && element(first - 1) === kind) --first;
      for (++end; kind && end < columnsShown.length && element(end) === kind;) ++end;
      if (kind) paintElement(kind, sx + first * cell, sx + end * cell, top + lineHeight() / 2);
      else paintLetter(line.text[columnsShown[k]] || ' ', sx + (k + 0.5) * cell, top);
    }
  });
}
function paintLetter(letter, x, top) {
  ink.font = letterFont(); ink.textAlign = 'center'; ink.textBaseline = 'middle';
  ink.fillStyle = textColour(); ink.fillText(letter, x, top + lineHeight() / 2 + 1);
}
function paintElement(kind, from, to, y) {
  const half = lineHeight() / 2 - 2;
  ink.beginPath();
  if (kind === 'helix') {  // a turn for each 3.6 residues
    ink.strokeStyle = isDark() ? '#e58aa0' : '#c23b5a'; ink.lineWidth = 2;
    ink.moveTo(from, y);
    for (let x = from; x <= to; x += 1.5)
      ink.lineTo(x, y - half * Math.sin(2 * Math.PI * (x - from) / (3.6 * cell)));
    ink.stroke();
    return;
  }
  const neck = Math.max(from, to - cell);
  ink.fillStyle = '#d99600';
  ink.moveTo(from, y - half / 2); ink.lineTo(neck, y - half / 2); ink.lineTo(neck, y - half);
  ink.lineTo(to, y); ink.lineTo(neck, y + half); ink.lineTo(neck, y + half / 2);
  ink.lineTo(from, y + half / 2); ink.fill();
}
function paintLineLabels(x, most) {
  ink.font = nameFont();
  linesShown().forEach((line, n) =>
    ink.fillText(fitted(line.tag, most), x, linesTop() + (n + 0.5) * lineHeight(), most));
}
