// Search, and the least certain regions.
let matches = [], match = -1, regions = [], region = -1;
const MOST_MATCHES = 10000;

// What a text means among residues, as an expression that finds it, whatever gaps are between:
// letters, with ? for any one, or a pattern of PROSITE such as C-x(2,4)-[ST]-{P}. null: nothing.
function patternOf(text) {
  if (/^[a-z*?]{2,}$/.test(text) && /[a-z*]/.test(text))
    return new RegExp(text.replace(/\*/g, '\\*').replace(/\?/g, '.'), 'g');
  const elements = text.replace(/\.$/, '').split('-');
  const parts = elements.map((element, k) => {
    const m = /^(<?)([a-z]|\[[a-z]+\]|\{[a-z]+\})(?:\((\d{1,4})(?:,(\d{1,4}))?\))?(>?)$/.exec(element);
    if (!m || (m[1] && k > 0) || (m[5] && k < elements.length - 1)) return null;
    const [, start, one, least, most, end] = m;
    const letter = one === 'x' ? '[a-z]' : one[0] === '{' ? `[^${one.slice(1, -1)}*]` : one;
    const times = least === undefined ? '' : `{${least}${most === undefined ? '' : ',' + most}}`;
    if (most !== undefined && Number(most) < Number(least)) return null;
    return (start ? '^' : '') + letter + times + (end ? '$' : '');
  });
  const isPattern = elements.length > 1 || /[[{(]/.test(text);
  return isPattern && !parts.includes(null) ? new RegExp(parts.join(''), 'g') : null;
}
// Matches: rows whose name holds the text, and stretches of residues.
function search() {
  const text = $('search').value.trim().toLowerCase(), pattern = patternOf(text);
  matches = []; match = -1;
  if (text) for (const r of shown) {
    if (data.headers[r].toLowerCase().includes(text)) matches.push({ row: r });
    if (pattern) findInRow(r, pattern);
  }
  $('hits').hidden = !matches.length;
  if (matches.length) { step(1); return; }
  $('found').textContent = !text ? '' : !pattern && /[[{(]/.test(text) ? 'no pattern of PROSITE'
    : 'not found';
  draw();
}
const decoder = new TextDecoder('latin1');
function findInRow(r, pattern) {
  const from = msa.start[r];
  const letters = decoder.decode(msa.letter.subarray(from, msa.start[r + 1])).toLowerCase();
  pattern.lastIndex = 0;
  for (let m = pattern.exec(letters); m && m[0]; m = pattern.exec(letters)) {
    if (matches.length === MOST_MATCHES) return;
    matches.push({ row: r, from: msa.column[from + m.index],
      to: msa.column[from + m.index + m[0].length - 1], first: m.index + 1, text: m[0] });
    pattern.lastIndex = m.index + 1;
  }
}
// The matches as a list, in a box; the first thousand.
const hitText = m => m.from === undefined ? `${data.names[m.row]}: name`
  : `${data.names[m.row]}: ${m.first} to ${m.first + m.text.length - 1}, ${m.text.toUpperCase()}`;
function listHits() {
  const MOST = 1000, list = $('hitlist');
  list.replaceChildren(...matches.slice(0, MOST).map((m, k) => {
    const item = document.createElement('li'), button = document.createElement('button');
    button.textContent = hitText(m);
    button.onclick = () => { $('hitbox').close(); match = k - 1; step(1); view.focus(); };
    item.append(button);
    return item;
  }));
  $('hithead').textContent = matches.length > MOST ? `The first ${MOST} of ${matches.length} hits`
    : `${matches.length} hit${matches.length === 1 ? '' : 's'}`;
  openBox('hitbox');
}
function copyHits() {
  const line = m => [data.names[m.row], m.first ?? '', m.first ? m.first + m.text.length - 1 : '',
    m.from === undefined ? '' : m.from + 1, m.to === undefined ? '' : m.to + 1,
    (m.text || '').toUpperCase()].join('\t');
  copy(['name\tfirst\tlast\tfrom_column\tto_column\tresidues', ...matches.map(line)].join('\n') + '\n',
    `${matches.length} hits`);
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
