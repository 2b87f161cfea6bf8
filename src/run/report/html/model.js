// The alignment: the residues of all rows one behind another, with their columns. Gaps take no
// room, since wide alignments are nearly all gaps.
const count = data.names.length;
const measured = data.measure, tree = data.tree && count > 1 ? layOut(data.tree) : null;
const GAP = 45;      // the code of '-'
const NOT_KNOWN = 11;  // codes: 0 to 9 are tenths, 10 is at least 0.95

// Places of counts: A to Z 1 to 26, the star of a stop 27, others 28.
const PLACES = 32;
function placeOf(code) { return code >= 65 ? code & 31 : code === 42 ? 27 : 28; }
function letterAt(place) { return place < 27 ? String.fromCharCode(64 + place) : '*'; }

// The residues of a line, a row or a column, and their places in it; a number in the text is a
// number of gaps.
function decodeLine(text, letter, place, next) {
  let at = 0, run = 0;
  for (let i = 0; i < text.length; ++i) {
    const code = text.charCodeAt(i);
    if (code >= 48 && code <= 57) { run = 10 * run + code - 48; continue; }
    at += run; run = 0;
    if (code !== GAP) { letter[next] = code; place[next++] = at; }
    ++at;
  }
  return next;
}
// Lines one behind another; `ends` has the end of each.
function decodeLines(lines, codes) {
  const room = lines.reduce((sum, text) => sum + text.length, 0);
  const letter = new Uint8Array(room), place = new Uint32Array(room);
  const ends = new Uint32Array(lines.length), sure = new Uint8Array(room).fill(NOT_KNOWN);
  let next = 0;
  lines.forEach((text, k) => {
    const first = next, known = codes[k] || '';
    next = ends[k] = decodeLine(text, letter, place, next);
    for (let i = 0; i < known.length; ++i) {
      const code = known.charCodeAt(i);
      if (code !== 46) sure[first + i] = code === 42 ? 10 : code - 48;
    }
  });
  return { letter, place, ends, codes: sure };
}
function byRows(source) {
  const { letter, place, ends, codes } = decodeLines(source.rows, source.codes);
  const start = new Uint32Array(count + 1);
  start.set(ends, 1);
  return { start, letter, column: place, codes };
}
// The same of an alignment that is held by its columns, which pack better.
function byColumns(source) {
  const lines = decodeLines(source.byColumn, source.codes), { ends, place: row } = lines;
  const all = ends[ends.length - 1] || 0;
  const start = new Uint32Array(count + 1);
  for (let i = 0; i < all; ++i) ++start[row[i] + 1];
  for (let r = 0; r < count; ++r) start[r + 1] += start[r];
  const letter = new Uint8Array(all), column = new Uint32Array(all), codes = new Uint8Array(all);
  const next = start.slice();
  for (let c = 0, i = 0; c < ends.length; ++c) for (; i < ends[c]; ++i) {
    const k = next[row[i]]++;
    letter[k] = lines.letter[i]; column[k] = c; codes[k] = lines.codes[i];
  }
  return { start, letter, column, codes };
}

function decode(source) {
  const found = {
    ...(source.byColumn ? byColumns : byRows)(source), name: source.name, columns: source.columns,
    confidence: source.confidence, tracks: source.tracks, mean: source.mean,
    hasConfidence: source.codes.length > 0 && source.confidence.length === source.columns &&
      count > 0,
  };
  return Object.assign(found, summarised(found));
}

// Of each column: how often each residue is there, how many there are, conservation (the share of
// the most frequent one) and consensus.
function summarised(m) {
  const counts = new Uint32Array(m.columns * PLACES), residues = new Uint32Array(m.columns);
  const { letter: letters, column: columns } = m;
  for (let i = 0, end = m.start[count]; i < end; ++i) {
    const c = columns[i];
    ++counts[c * PLACES + placeOf(letters[i])]; ++residues[c];
  }
  const conservation = new Float32Array(m.columns), consensus = [];
  for (let c = 0; c < m.columns; ++c) {
    const seen = counts.subarray(c * PLACES, (c + 1) * PLACES);
    let most = 0;
    for (let k = 1; k < PLACES; ++k) if (seen[k] > seen[most]) most = k;
    conservation[c] = seen[most] / count;
    const letter = letterAt(most);
    if (2 * (count - residues[c]) > count) consensus.push('-');
    else consensus.push(2 * seen[most] >= count ? letter : letter.toLowerCase());
  }
  return { counts, residues, conservation, consensus: consensus.join('') };
}

// The alignment that is shown: the first, or of a comparison or an ensemble another one.
const sources = [data, ...(data.others || [])], decoded = [];
let msa = null;
function takeAlignment(k) { msa = decoded[k] = decoded[k] || decode(sources[k]); }
takeAlignment(0);

// The place of a row's first residue that stands in column c or behind it.
function firstFrom(r, c) {
  let low = msa.start[r], high = msa.start[r + 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (msa.column[middle] < c) low = middle + 1; else high = middle;
  }
  return low;
}
function residueAt(r, c) {
  const i = firstFrom(r, c), is = i < msa.start[r + 1] && msa.column[i] === c;
  return { i, is, number: i - msa.start[r] + (is ? 1 : 0) };
}
// The first word of a row's header without its range, NAME of NAME/12-80, and how many residues
// stand before the row's first one; a range of another length than the row's is none.
function rangeOf(r) {
  const [word] = /^\S*/.exec(data.headers[r]), m = /^(.*)\/(\d+)-(\d+)$/.exec(word);
  const isRange = m && Number(m[3]) - Number(m[2]) + 1 === msa.start[r + 1] - msa.start[r];
  return isRange ? { word, name: m[1], before: Number(m[2]) - 1 } : { word, name: word, before: 0 };
}
// The text of a row, in the columns from `from` to before `to`.
function rowText(r, from, to) {
  const text = new Array(to - from).fill('-');
  for (let i = firstFrom(r, from); i < msa.start[r + 1] && msa.column[i] < to; ++i)
    text[msa.column[i] - from] = String.fromCharCode(msa.letter[i]);
  return text.join('');
}

// Stretches of columns by their mean confidence, weighted by their residues, the lowest first; none
// overlaps another.
const REGION = 20;
function leastCertain() {
  const found = [], columns = msa.columns, size = Math.min(REGION, columns);
  const sum = new Float64Array(columns + 1), weight = new Float64Array(columns + 1);
  for (let c = 0; c < columns; ++c) {
    const sure = msa.confidence[c], here = sure === null ? 0 : msa.residues[c];
    sum[c + 1] = sum[c] + (sure === null ? 0 : sure * here);
    weight[c + 1] = weight[c] + here;
  }
  for (let from = 0; from + size <= columns; ++from) {
    const of = weight[from + size] - weight[from], to = from + size - 1;
    if (of < size * count / 4 || of === 0) continue;
    found.push({ from, to, mean: (sum[from + size] - sum[from]) / of });
  }
  found.sort((a, b) => a.mean - b.mean || a.from - b.from);
  const kept = [];
  for (const f of found) {
    if (kept.length === 50) break;
    if (kept.every(k => f.to < k.from || f.from > k.to)) kept.push(f);
  }
  return kept;
}
