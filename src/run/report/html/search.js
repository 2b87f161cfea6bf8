// Search, and the least certain regions.
let matches = [], match = -1, regions = [], region = -1;
const MOST_MATCHES = 10000;

// Matches: rows whose name holds the text, and stretches of residues, whatever gaps are between.
function search() {
  const text = $('search').value.trim().toLowerCase();
  matches = []; match = -1;
  const inRows = text.length > 1 && /^[a-z*]+$/.test(text);
  if (text) for (const r of shown) {
    if (data.headers[r].toLowerCase().includes(text)) matches.push({ row: r });
    if (inRows) findInRow(r, text);
  }
  if (matches.length) step(1);
  else { $('found').textContent = text ? 'not found' : ''; draw(); }
}
const decoder = new TextDecoder('latin1');
function findInRow(r, text) {
  const from = msa.start[r];
  const letters = decoder.decode(msa.letter.subarray(from, msa.start[r + 1])).toLowerCase();
  for (let at = letters.indexOf(text); at >= 0; at = letters.indexOf(text, at + 1)) {
    if (matches.length === MOST_MATCHES) return;
    matches.push({ row: r, from: msa.column[from + at],
      to: msa.column[from + at + text.length - 1] });
  }
}
function step(by) {
  if (!matches.length) return;
  match = (match + by + matches.length) % matches.length;
  const m = matches[match];
  const most = matches.length >= MOST_MATCHES ? ' or more' : '';
  $('found').textContent = `${match + 1} of ${matches.length}${most}`;
  move(m.row, m.from === undefined ? cursor.column : m.from);
}

const takeRegions = () => msa.hasConfidence && measured !== 'kept' ? leastCertain() : [];
function showRegion() {
  if (!regions.length) return;
  region = (region + 1) % regions.length;
  const r = regions[region];
  move(cursor.row, r.to); move(cursor.row, r.from);
  say(`${$('uncertain').textContent.toLowerCase()}: region ${region + 1} of ${regions.length}  ·  columns ${r.from + 1} to ` +
    `${r.to + 1}  ·  mean ${measured} ${r.mean.toFixed(2)}`, true);
}
