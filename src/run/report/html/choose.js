// Rows that are selected, what is copied, and the link to a position.
let lastChosen = -1;
function choose(row, through) {
  if (through && placeIn[lastChosen] >= 0) {
    const ends = [placeIn[lastChosen], placeIn[row]].sort((a, b) => a - b);
    for (let d = ends[0]; d <= ends[1]; ++d) selected.add(shown[d]);
  } else if (!selected.delete(row)) selected.add(row);
  lastChosen = row;
  tellChosen();
}
function chooseClade(k) {
  for (let r = tree.low[k]; r <= tree.high[k]; ++r) if (placeIn[r] >= 0) selected.add(r);
  tellChosen();
}
function chooseNone() {
  selected.clear();
  columnMark = columnEnd = null;
  if ($('rows').value === 'selected') { $('rows').value = 'all'; changeRows(); }
  tellChosen();
}
function tellChosen() {
  const n = selected.size;
  say(n === 1 ? '1 row is selected' : `${n} rows are selected`, true);
  const option = $('rows').querySelector('[value=selected]');
  option.disabled = n === 0;
  option.text = `selected (${n})`;
  $('copy').textContent = n ? `Copy ${n} as FASTA` : 'Copy row as FASTA';
  draw();
}

// The selected rows, or that of the cursor, with their gaps, as FASTA.
function fasta() {
  const rows = selected.size ? [...selected].sort((a, b) => a - b) : [cursor.row];
  const { from, to } = columnsChosen() || { from: 0, to: msa.columns - 1 };
  return rows.map(r => `>${headerOf(r, from, to)}\n${rowText(r, from, to + 1)}\n`).join('');
}
// The header of a row; of a part of its residues NAME/FIRST-LAST.
function headerOf(r, from, to) {
  const first = firstFrom(r, from) - msa.start[r] + 1, last = firstFrom(r, to + 1) - msa.start[r];
  if (first === 1 && last === msa.start[r + 1] - msa.start[r] || last < first)
    return data.headers[r];
  const { word, name, before } = rangeOf(r);
  return `${name}/${first + before}-${last + before}${data.headers[r].slice(word.length)}`;
}

// The columns that are selected, both ends included; null: all.
let columnMark = null, columnEnd = null;
function columnsChosen() {
  if (columnMark === null || columnEnd === null) return null;
  return { from: Math.min(columnMark, columnEnd), to: Math.max(columnMark, columnEnd) };
}
// The key m: the first column, the last one, none.
function markColumn() {
  if (columnMark === null) columnMark = cursor.column;
  else if (columnEnd === null) columnEnd = cursor.column;
  else columnMark = columnEnd = null;
  tellColumns();
}
function chooseColumns(from, to) { columnMark = from; columnEnd = to; tellColumns(); }
function tellColumns() {
  const range = columnsChosen();
  say(range ? `columns ${range.from + 1} to ${range.to + 1} are selected`
    : columnMark === null ? 'all columns are selected'
      : `columns from ${columnMark + 1}: go to the last one and press m again`, true);
  draw();
}
function paintSelectedColumns(sx) {
  const range = columnsChosen();
  if (!range) return;
  const from = nearestPlace(range.from), to = nearestPlace(range.to);
  ink.fillStyle = mix('#2b7de9', 0.35);
  ink.fillRect(sx + from * cell, 0, (to - from + 1) * cell, RULER);
}
async function copy(text, what) {
  try { await navigator.clipboard.writeText(text); } catch {
    const area = document.createElement('textarea');  // where no clipboard is given to scripts
    area.value = text; area.setAttribute('aria-hidden', 'true');
    document.body.append(area); area.select();
    const done = document.execCommand('copy');
    area.remove();
    if (!done) { say(`${what}: this browser does not let the page copy`, true); return; }
  }
  say(`copied ${what}`, true);
}
function copyRows() {
  const n = Math.max(1, selected.size);
  copy(fasta(), n === 1 ? `row ${data.names[[...selected][0] ?? cursor.row]}` : `${n} rows`);
}

// The address has the row and the column of the cursor: #row=NAME&column=120.
function linkText() {
  const place = new URLSearchParams({ row: data.names[cursor.row], column: cursor.column + 1 });
  if (files.length > 1) place.set('file', fileShown + 1);
  if (sources.length > 1 && msa !== decoded[0]) place.set('alignment', decoded.indexOf(msa) + 1);
  return '#' + place;
}
let linkWaits = 0;
function keepLink() {  // browsers allow few changes of an address at once
  clearTimeout(linkWaits);
  linkWaits = setTimeout(writeLink, 300);
}
function writeLink() {
  try { history.replaceState(null, '', linkText()); } catch { /* a page without an address */ }
}
// The position that the address says; false if it says none.
function followLink() {
  const place = new URLSearchParams(location.hash.slice(1));
  const which = Number(place.get('alignment') || 1) - 1;
  if (sources[which] && decoded[which] !== msa) showAlignment(which);
  const column = Number(place.get('column')), row = data.names.indexOf(place.get('row'));
  const hasColumn = Number.isInteger(column) && column >= 1 && column <= msa.columns;
  if (row < 0 && !hasColumn) return false;
  const at = { row: row < 0 ? cursor.row : row, column: hasColumn ? column - 1 : cursor.column };
  move(at.row, at.column);
  centre();
  return true;
}
function centre() {
  const v = visible();
  view.scrollLeft = (placeOfColumn[cursor.column] - (v.c1 - v.c0) / 2) * cell;
  view.scrollTop = (placeIn[cursor.row] - (v.r1 - v.r0) / 2) * height();
}

// Shows another alignment of a comparison: the residue under the cursor stays where it is seen.
function showAlignment(k) {
  const number = residueAt(cursor.row, cursor.column).i - msa.start[cursor.row];
  const x = placeOfColumn[cursor.column] * cell - view.scrollLeft;
  takeAlignment(k);
  const last = msa.start[cursor.row + 1] - 1;
  const i = Math.min(msa.start[cursor.row] + number, last);
  cursor.column = i >= msa.start[cursor.row] ? msa.column[i] : 0;
  region = -1; regions = takeRegions();
  cut = null; rowGoes.fill(0); fits.clear(); takeShown();
  $('trimbar').hidden = true; $('trim').setAttribute('aria-expanded', 'false');
  $('alignment').value = String(k);
  takeReference(); resize();
  view.scrollLeft = placeOfColumn[cursor.column] * cell - x;
  sayFacts(); search(); tell(cursor, true); draw(); keepLink();
}
