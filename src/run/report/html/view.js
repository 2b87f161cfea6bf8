// The visible part: sizes, the rows that are shown, the cursor.
const view = $('view'), room = $('room'), canvas = $('canvas');
const screenInk = canvas.getContext('2d');
let ink = screenInk;  // a picture that is saved has another
let isPicture = false;  // what is drawn is saved or printed: without cursor and marks, in light colours
let pictureScale = 0;   // pixels of a picture for one of the page; 0: as many as the screen has
const pixelRatio = () => pictureScale || devicePixelRatio || 1;
let cell = 14, names = 0, treeWidth = 0;
let cursor = { row: 0, column: 0 };  // both in the alignment, whatever rows are shown
const selected = new Set();          // rows
const TRACK = 34, THIN = 20, RULER = 20;  // THIN: of a track beside its own

// The rows that are shown, from the top; and for each row its place there, -1 if it is not shown.
let shown = [], placeIn = new Int32Array(count);
const core = new Uint8Array(count);
if (data.groups) for (const r of data.groups.rows) core[r] = 1;
function takeRows(which) {
  const is = { all: () => true, core: r => core[r], rest: r => !core[r],
    selected: r => selected.has(r) }[which];
  const rows = [];
  for (const r of rowOrder) if (is(r) && !(hides && rowGoes[r])) rows.push(r);
  shown = rows;
  placeIn.fill(-1);
  shown.forEach((r, d) => { placeIn[r] = d; });
  if (tree) placeNodes();
  if (shown.length && placeIn[cursor.row] < 0) cursor.row = shown.find(r => r > cursor.row) ??
    shown[shown.length - 1];
}

// The columns that are shown, from the left, and their places; as with the rows.
let columnsShown = new Int32Array(0), placeOfColumn = new Int32Array(0), hides = false;
function takeColumns() {
  hides = $('hide').checked && cut !== null && cut.includes(0);
  const all = Int32Array.from({ length: msa.columns }, (_, c) => c);
  const lacks = c => (hides && cut[c] !== 0) || ($('gappy').checked && isSparse(c));
  columnsShown = all.filter(c => !lacks(c));
  if (!columnsShown.length && !hides) { $('gappy').checked = false; columnsShown = all; }
  placeOfColumn = new Int32Array(msa.columns).fill(-1);
  columnsShown.forEach((c, k) => { placeOfColumn[c] = k; });
  if (columnsShown.length) cursor.column = columnsShown[nearestPlace(cursor.column)];
  forgetStrip();
}
const lacksColumns = () => columnsShown.length < msa.columns;
// Whether at most a tenth of the rows, or one of several, has a residue in a column.
const isSparse = c => count > 2 && msa.residues[c] <= Math.max(1, count / 10);
// Called when other rows or columns are hidden.
function takeShown() { takeColumns(); takeRows($('rows').value); }
// The place of the first shown column from c on, or of the last one.
function nearestPlace(c) {
  const k = columnsShown.findIndex(at => at >= c);
  return k < 0 ? columnsShown.length - 1 : k;
}

const nameFont = () => `${Math.min(13, Math.max(7, cell - 2))}px system-ui, sans-serif`;
const letterFont = () => `${Math.round(cell * 0.85)}px ui-monospace, monospace`;
const LABEL = '11px system-ui, sans-serif';
const lineHeight = () => cell < 4 ? cell : Math.round(cell * 1.15);
const height = () => translates() ? 2 * lineHeight() : lineHeight();  // of a row
const hasNames = () => lineHeight() >= 9;
const left = () => treeWidth + names;
const trackBottom = k => RULER + TRACK * (msa.hasConfidence ? 2 : 1) + THIN * (k + 1);
// All alignments of a comparison have the same room above the rows, so that no row jumps.
const mostTracks = Math.max(...sources.map(source => source.tracks.length));
const logoTop = () => trackBottom(-1) + THIN * mostTracks;
const consensusTop = () => logoTop() + logoHeight();
const linesTop = () => consensusTop() + (hasNames() ? lineHeight() : 4);
const bodyTop = () => linesTop() + linesHeight();

let nameWidth = 0, nameWidthOf = '';
function longestName() {
  if (nameWidthOf === nameFont()) return nameWidth;
  nameWidthOf = screenInk.font = nameFont();
  // The widths of the longest ones by letters; measuring all takes long.
  const some = [...data.names].sort((a, b) => b.length - a.length).slice(0, 50);
  return nameWidth = Math.max(40, ...some.map(name => screenInk.measureText(name).width));
}
function measureNames() {
  const least = 88, most = Math.max(least, view.clientWidth * 0.3);
  names = hasNames() ? Math.max(least, Math.min(longestName() + 18, most)) : least;
  treeWidth = tree && $('tree').checked && $('order').value === 'given' ? Math.min(150, view.clientWidth * 0.15) : 0;
}

let rowHeight = 0;  // that the room was made for
function resize() {
  measureNames();
  rowHeight = height();
  room.style.width = left() + columnsShown.length * cell + 8 + 'px';
  room.style.height = bodyTop() + shown.length * height() + 8 + 'px';
  const ratio = pixelRatio(), w = view.clientWidth, h = view.clientHeight;
  canvas.width = Math.round(w * ratio); canvas.height = Math.round(h * ratio);
  canvas.style.width = w + 'px'; canvas.style.height = h + 'px';
  resizeOverview();
  draw();
}

let waiting = false;
function draw() { if (!waiting) { waiting = true; requestAnimationFrame(paint); } }

// The part that is seen, in places: columns c0 to before c1, rows r0 to before r1.
function visible() {
  const h = height(), w = view.clientWidth - left(), high = view.clientHeight - bodyTop();
  return {
    c0: Math.max(0, Math.floor(view.scrollLeft / cell)),
    r0: Math.max(0, Math.floor(view.scrollTop / h)),
    c1: Math.min(columnsShown.length, Math.ceil((view.scrollLeft + w) / cell)),
    r1: Math.min(shown.length, Math.ceil((view.scrollTop + high) / h)),
  };
}

// Scrolls as little as is needed to show the cursor.
function show() {
  const rh = height(), x = placeOfColumn[cursor.column] * cell, y = placeIn[cursor.row] * rh;
  const w = view.clientWidth - left(), h = view.clientHeight - bodyTop();
  if (x < view.scrollLeft) view.scrollLeft = x - 3 * cell;
  else if (x + cell > view.scrollLeft + w) view.scrollLeft = x - w + 4 * cell;
  if (y < view.scrollTop) view.scrollTop = y;
  else if (y + rh > view.scrollTop + h) view.scrollTop = y - h + 2 * rh;
}
function move(row, column) {
  if (shown.length === 0 || msa.columns === 0) return;
  if (placeIn[row] < 0) {
    if (rowGoes[row]) $('hide').checked = false;
    $('rows').value = 'all'; takeShown(); resize();
  }
  column = Math.max(0, Math.min(msa.columns - 1, column));
  if (placeOfColumn[column] < 0) {
    $('hide').checked = $('gappy').checked = false;
    cursor.column = column; takeShown(); resize();
  }
  cursor = { row, column };
  show(); tell(cursor, true); draw(); keepLink();
}
function moveBy(rows, columns) {
  if (!shown.length) return;
  const d = Math.max(0, Math.min(shown.length - 1, placeIn[cursor.row] + rows));
  const k = placeOfColumn[cursor.column] + columns, last = columnsShown.length - 1;
  move(shown[d], columnsShown[Math.max(0, Math.min(last, k))]);
}

// Where a point of the canvas is: row and column, or the row alone, in the names or the tree.
function at(event) {
  const box = canvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const column = columnsShown[Math.floor((x - left() + view.scrollLeft) / cell)];
  const d = Math.floor((y - bodyTop() + view.scrollTop) / height());
  const isIn = x >= left() && column !== undefined;
  if (y < bodyTop()) return { x, y, column: isIn ? column : null, row: null };
  return { x, y, column: isIn ? column : null, row: d < shown.length ? shown[d] : null };
}

// The line at the bottom. Screen readers read it after a key, and not while the pointer moves.
function say(text, aloud) {
  $('status').textContent = text;
  if (aloud) $('said').textContent = text;
}
function tell(place, aloud) {
  const { row, column } = place;
  if (row === null || column === null || row >= count) return;
  const { i, is, number } = residueAt(row, column);
  const inSequence = number + rangeOf(row).before;
  const letter = is ? String.fromCharCode(msa.letter[i]) : '';
  const parts = [data.headers[row], is ? `${letter}${inSequence}` : `gap behind residue ${inSequence}`,
    `column ${column + 1}`, `conservation ${msa.conservation[column].toFixed(2)}`];
  const first = column - column % 3, amino = translates() && aminoAt(row, first);
  if (amino) parts.push(`codon ${rowText(row, first, first + 3)} is ${amino}`);
  if (data.groups) parts.splice(1, 0, core[row] ? data.groups.core : data.groups.rest);
  if (msa.hasConfidence && measured !== 'kept') {
    const sure = msa.confidence[column], code = is ? msa.codes[i] : NOT_KNOWN;
    if (code !== NOT_KNOWN) parts.push(`${measured} ${code === 10 ? '≥ 0.95' : '≈ 0.' + code}`);
    parts.push(`column ${measured} ${sure === null ? 'none' : sure.toFixed(2)}`);
  }
  if (cut && rowGoes[row]) parts.push('row goes: gaps');
  else if (cut) parts.push(cut[column] ? `goes: ${FATES[cut[column]]}` : 'stays');
  say(parts.join('  ·  '), aloud);
}
