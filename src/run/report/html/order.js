// The order of the rows, and what rows are compared with.
let rowOrder = Int32Array.from({ length: count }, (_, r) => r);

// The share of the columns in which two rows have a residue that is the same one.
function identity(a, b) {
  let i = msa.start[a], j = msa.start[b], same = 0, both = 0;
  while (i < msa.start[a + 1] && j < msa.start[b + 1]) {
    if (msa.column[i] < msa.column[j]) ++i;
    else if (msa.column[i] > msa.column[j]) ++j;
    else { ++both; same += (msa.letter[i++] & 95) === (msa.letter[j++] & 95) ? 1 : 0; }
  }
  return both ? same / both : 0;
}
const lengthOf = r => msa.start[r + 1] - msa.start[r];
function sortRows(kind) {
  const given = Int32Array.from({ length: count }, (_, r) => r);
  const by = {
    name: (a, b) => data.names[a].localeCompare(data.names[b], undefined, { numeric: true }),
    length: (a, b) => lengthOf(b) - lengthOf(a),
  };
  if (kind === 'identity') {
    const share = Array.from(given, r => identity(cursor.row, r)), row = cursor.row;
    by.identity = (a, b) => (b === row) - (a === row) || share[b] - share[a];
  }
  rowOrder = by[kind] ? given.sort((a, b) => by[kind](a, b) || a - b) : given;
  changeRows();
  say($('order').selectedOptions[0].text +
    (kind === 'identity' ? `: ${data.names[cursor.row]}` : ''), true);
}

// Differences: the letter of each column, as a capital, that is shown as a dot; null: all letters
// are shown.
let reference = null, referenceRow = -1;
function chooseReference() {
  referenceRow = $('letters').value === 'row' ? cursor.row : -1;
  takeReference(); draw();
  say($('letters').selectedOptions[0].text +
    (referenceRow < 0 ? '' : `: ${data.names[referenceRow]}`), true);
}
function takeReference() {
  const kind = $('letters').value;
  reference = kind === 'all' ? null : new Uint8Array(msa.columns);
  if (kind === 'consensus')
    for (let c = 0; c < msa.columns; ++c) reference[c] = mostOf(c).charCodeAt(0) || 0;
  if (kind === 'row')
    for (let i = msa.start[referenceRow]; i < msa.start[referenceRow + 1]; ++i)
      reference[msa.column[i]] = msa.letter[i] & 95;
}
const isSame = (i, c, r) =>
  reference !== null && r !== referenceRow && (msa.letter[i] & 95) === reference[c];
const DOT = 46;
// How a residue is drawn: its tile, and its letter or a dot.
function cellOf(i, c, r) {
  if (!isSame(i, c, r)) return { tile: tileOf(i, c), letter: msa.letter[i] };
  if (!tiles.same) tiles.same = { fill: null, text: softColour(), bitmaps: {} };
  return { tile: tiles.same, letter: DOT };
}
