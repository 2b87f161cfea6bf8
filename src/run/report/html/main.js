// Events, keys and the start.
function changeRows() {
  takeRows($('rows').value);
  forgetStrip(); resize();
  if (shown.length) { show(); tell(cursor, true); }
}
function changeColumns() { takeShown(); resize(); if (shown.length) show(); }
function changeSize(to) {
  const c = visible().c0, d = visible().r0;
  cell = Math.max(1, Math.min(24, to));
  $('size').value = cell;
  resize();
  view.scrollLeft = c * cell; view.scrollTop = d * height();
}
// The largest cells by which all is seen.
function fitAll() {
  const across = Math.floor((view.clientWidth - left()) / Math.max(1, columnsShown.length));
  changeSize(Math.max(1, Math.min(across, 14)));
}
view.addEventListener('scroll', draw);
view.addEventListener('mousemove', e => {
  const p = at(e);
  if (p.row !== null && p.x < left()) say(data.headers[p.row], false);  // its name may be cut
  else tell(p, false);
});
view.addEventListener('click', e => {
  const p = at(e);
  if (p.row !== null && p.column !== null) move(p.row, p.column);
  else if (p.row !== null && p.x >= treeWidth && p.x < left()) {
    move(p.row, cursor.column); choose(p.row, e.shiftKey);
  } else if (p.x < treeWidth && p.y >= bodyTop()) {
    const node = nodeAt(p.x, p.y);
    if (node >= 0) chooseClade(node);
  } else if (p.row === null && p.column !== null && p.y < bodyTop()) {
    if (e.shiftKey) chooseColumns(cursor.column, p.column); else move(cursor.row, p.column);
  }
});
$('search').addEventListener('input', search);
$('search').addEventListener('keydown', e => {
  if (e.key === 'Enter') { e.preventDefault(); step(e.shiftKey ? -1 : 1); }
  if (e.key === 'Escape') view.focus();
});
$('next').onclick = () => step(1);
$('previous').onclick = () => step(-1);
$('colour').onchange = draw;
$('tree').onchange = $('strip').onchange = resize;
$('rows').onchange = changeRows;
$('order').onchange = () => sortRows($('order').value);
$('letters').onchange = chooseReference;
$('logo').onchange = $('lines').onchange = resize;
$('translation').onchange = changeTranslation;
$('gappy').onchange = changeColumns;
$('hits').onclick = listHits;
$('copyhits').onclick = copyHits;
// The page docs/app/index.html shows this one in a frame, which cannot load itself again.
$('file').onchange = () => {
  const file = Number($('file').value) + 1;
  if (parent !== window) parent.postMessage({ file }, '*');
  location.hash = `#file=${file}`; location.reload();
};
$('alignment').onchange = () => showAlignment(Number($('alignment').value));
$('size').oninput = () => changeSize(Number($('size').value));
$('whole').onclick = fitAll;
$('uncertain').onclick = showRegion;
$('copy').onclick = copyRows;
$('link').onclick = () => copy(location.href.split('#')[0] + linkText(), 'the link');
$('save').onchange = () => { save($('save').value); $('save').value = ''; };
$('report').onclick = () => openBox('reportbox');
$('help').onclick = () => openBox('helpbox');
$('more').onclick = () => {
  const opens = $('more').getAttribute('aria-expanded') !== 'true';
  $('more').setAttribute('aria-expanded', String(opens));
};
dark.addEventListener('change', () => { forgetStrip(); draw(); });
addEventListener('hashchange', followLink);
new ResizeObserver(resize).observe(view);
// The button at its end has the focus; a box is read from its beginning.
function openBox(id) { $(id).showModal(); $(id).scrollTop = 0; }

const screenOfRows = () => Math.floor((view.clientHeight - bodyTop()) / height());
const ten = e => e.shiftKey ? 10 : 1;
const keys = {
  ArrowLeft: e => moveBy(0, -ten(e)), ArrowRight: e => moveBy(0, ten(e)),
  ArrowUp: e => moveBy(-ten(e), 0), ArrowDown: e => moveBy(ten(e), 0),
  PageUp: () => moveBy(-screenOfRows(), 0), PageDown: () => moveBy(screenOfRows(), 0),
  Home: () => moveBy(0, -msa.columns), End: () => moveBy(0, msa.columns),
  '/': () => { $('search').focus(); $('search').select(); },
  n: () => step(1), N: () => step(-1), f: () => { if (matches.length) listHits(); },
  u: showRegion, m: markColumn,
  p: toggleTranslation,
  g: () => $('gappy').click(), l: () => $('logo').click(),
  d: () => {
    const s = $('letters');
    s.selectedIndex = (s.selectedIndex + 1) % s.length;
    chooseReference();
  },
  c: () => {
    const s = $('colour');
    s.selectedIndex = (s.selectedIndex + 1) % s.length;
    draw();
  },
  t: () => { if (tree) { $('tree').checked = !$('tree').checked; resize(); } },
  o: () => { $('strip').checked = !$('strip').checked; resize(); },
  x: () => { if (!data.part) toggleTrim($('trimbar').hidden); },
  h: () => { if (cut) $('hide').click(); },
  s: () => choose(cursor.row, false), S: () => choose(cursor.row, true),
  w: () => { if (tree) chooseClade(widerClade(cursor.row)); },
  Escape: chooseNone, y: copyRows, z: fitAll,
  a: () => { if (sources.length > 1) showAlignment((decoded.indexOf(msa) + 1) % sources.length); },
  '+': () => { changeSize(cell + 2); show(); }, '-': () => { changeSize(cell - 2); show(); },
  r: () => openBox('reportbox'), '?': () => openBox('helpbox'),
};
// Keys of one letter act while the alignment has the focus, and nowhere else.
view.addEventListener('keydown', e => {
  if ((e.ctrlKey || e.metaKey) && e.key === 'c' && !String(getSelection())) {
    e.preventDefault(); copyRows(); return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey || !keys[e.key]) return;
  e.preventDefault(); keys[e.key](e);
});

function sayFacts() {
  const mean = msa.mean === null ? '' : `, mean ${measured} ${msa.mean.toFixed(2)}`;
  $('facts').textContent = `${count} sequences, ${msa.columns} columns, ${data.type}${mean}`;
}
function startMeasure() {
  $('measure').textContent = measured;
  if (measured === 'agreement') $('uncertain').textContent = 'Least agreement';
  if (data.meaning) $('meaning').textContent = data.meaning;
  $('legend').hidden = !msa.hasConfidence || measured === 'kept';
}
function startColours() {
  for (const scheme of Object.values(schemes)) {
    if (!scheme.isFor || (scheme.by_confidence && !msa.hasConfidence)) continue;
    $('colour').add(new Option(scheme.label.replace('confidence', measured), scheme.name));
    if (scheme.note) $('schemes').append(`${scheme.label}: ${scheme.note} `);
  }
  $('colour').value = msa.hasConfidence ? 'faded' : 'residues';
}
function startChoices() {
  if (!tree) $('tree').parentElement.hidden = true;
  else $('order').querySelector('[value=given]').text = 'along the tree';
  $('lines').parentElement.hidden = !data.lines.length;
  $('file').parentElement.hidden = files.length === 1;
  files.forEach((file, k) => $('file').add(new Option(file.title, String(k))));
  $('file').value = String(fileShown);
  if (data.groups) {
    const { core: name, rest, rows } = data.groups, option = value =>
      $('rows').querySelector(`[value=${value}]`);
    option('core').text = `${name} (${rows.length})`;
    option('rest').text = `${rest} (${count - rows.length})`;
    $('grouplegend').textContent = `${name} rows`;
  } else {
    for (const value of ['core', 'rest']) $('rows').querySelector(`[value=${value}]`).remove();
    $('grouplegend').hidden = true;
  }
  $('alignment').parentElement.hidden = sources.length === 1;
  const bare = sources.map(source => source.name.replace(/.*[/\\]/, ''));
  const names = new Set(bare).size === bare.length ? bare : sources.map(source => source.name);
  names.forEach((name, k) => $('alignment').add(new Option(name, String(k))));
}
// Hides gappy columns if they are more than half of the first screen; what is said of it.
function hideIfGappy(first) {
  const from = Math.max(0, first - 3), end = Math.min(msa.columns, from + Math.floor(
    (view.clientWidth - left()) / cell));
  let sparse = 0;
  for (let c = from; c < end; ++c) if (isSparse(c)) ++sparse;
  if (2 * sparse <= end - from) return '';
  $('gappy').checked = true;
  takeShown(); resize();
  return `${msa.columns - columnsShown.length} gappy columns are hidden; g shows them`;
}
function start() {
  $('title').textContent = data.title;
  document.title = data.title + ' - accord';
  $('reporttext').textContent = data.report;
  regions = takeRegions();
  if (!regions.length) $('uncertain').hidden = true;
  startMeasure(); startTranslation(); startColours(); startChoices(); sayFacts();
  takeRows('all'); takeColumns();
  $('strip').checked = count * height() > 2 * view.clientHeight ||
    msa.columns * cell > 2 * view.clientWidth;
  resize(); startTrim();
  // Ends that few rows have are passed over.
  const first = Math.max(0, msa.residues.findIndex(n => 2 * n > count));
  if (!followLink() && count && msa.columns) {
    cursor = { row: 0, column: first };
    const hidden = hideIfGappy(first);
    view.scrollLeft = (placeOfColumn[cursor.column] - 3) * cell; tell(cursor, false);
    if (hidden) say(hidden, true);
  }
  view.focus({ preventScroll: true });
}
start();
