// Codons and their translation: the amino acid of a codon stands below its three bases, which are
// columns 1 to 3, 4 to 6 and so on. A genetic code is a text of 64 amino acids, of codons whose
// bases are in the order T C A G.
const geneticCodes = new Map((data.geneticCodes || []).map(code => [String(code.number), code]));
const BASES = 'TCAG';
const AMBIGUOUS = { U: 'T', R: 'AG', Y: 'CT', S: 'CG', W: 'AT', K: 'GT', M: 'AC', B: 'CGT',
  D: 'AGT', H: 'ACT', V: 'ACG' };
const basesOf = letter => BASES.includes(letter) ? letter : AMBIGUOUS[letter] || BASES;
const translates = () => $('translation').value !== '' && cell >= 8;

// The code of a row: the one that is chosen, or the one that its header names.
const namedCode = r => (/\[transl_table=(\d+)\]/.exec(data.headers[r]) || [])[1];
function codeOf(r) {
  const chosen = $('translation').value, number = chosen === 'own' ? namedCode(r) : chosen;
  return (geneticCodes.get(number) || geneticCodes.get('1')).amino;
}
// The amino acid of three letters; X if they may stand for several.
function aminoAcid(code, codon) {
  const [first, second, third] = [...codon.toUpperCase()].map(basesOf);
  const found = new Set();
  for (const a of first) for (const b of second) for (const c of third)
    found.add(code[16 * BASES.indexOf(a) + 4 * BASES.indexOf(b) + BASES.indexOf(c)]);
  return found.size === 1 ? [...found][0] : 'X';
}
const aminoAcids = new Map();  // [code and codon]
// The amino acid of the codon that begins in column c of a row: X for one that is not whole, '' for
// none.
function aminoAt(r, c) {
  const i = firstFrom(r, c), end = msa.start[r + 1];
  if (i >= end || msa.column[i] > c + 2) return '';
  if (i + 2 >= end || msa.column[i + 2] !== c + 2) return 'X';
  const codon = String.fromCharCode(...msa.letter.subarray(i, i + 3));
  if (codon.includes('!')) return 'X';
  const code = codeOf(r), key = codon + code;
  if (!aminoAcids.has(key)) aminoAcids.set(key, aminoAcid(code, codon));
  return aminoAcids.get(key);
}
// Calls `use` with the place of the first base and the amino acid of each codon of a row whose
// columns stand side by side and are seen.
function eachAmino(r, v, use) {
  for (let k = Math.max(0, v.c0 - 2); k < v.c1; ++k) {
    const c = columnsShown[k];
    if (c % 3 !== 0 || columnsShown[k + 1] !== c + 1 || columnsShown[k + 2] !== c + 2) continue;
    const amino = aminoAt(r, c);
    if (amino) use(k, amino);
  }
}

// How an amino acid is drawn: in the colours of residues of proteins.
const aminoColours = {};
for (const [letters, colour] of DRAWING.schemes.find(scheme => scheme.name === 'residues').protein)
  for (const letter of letters) aminoColours[letter] = colour;
function aminoTile(letter) {
  tiles.amino = tiles.amino || {};
  if (tiles.amino[letter]) return tiles.amino[letter];
  const rgb = tileMode === 'none' ? null : mixed(aminoColours[letter] || OTHER, 0.75);
  const text = rgb ? letterOn(rgb) : textColour();
  return tiles.amino[letter] = { fill: rgb && css(rgb), text, bitmaps: {} };
}

function startTranslation() {
  const select = $('translation');
  select.parentElement.hidden = !geneticCodes.size;
  if (!geneticCodes.size) return;
  if (data.names.some((_, r) => namedCode(r))) select.add(new Option('as the headers say', 'own'));
  for (const [number, { name }] of geneticCodes)
    select.add(new Option(`${number}: ${name}`, number));
  select.value = data.translation || '';
  if (data.translation && !select.value) select.value = '1';
}
// Between off and what was chosen last, or stands first.
let lastTranslation = '';
function toggleTranslation() {
  const select = $('translation');
  if (!geneticCodes.size) return;
  if (select.value) { lastTranslation = select.value; select.value = ''; }
  else select.value = lastTranslation || select.options[1].value;
  changeTranslation();
}
function changeTranslation() {
  const top = view.scrollTop / rowHeight;  // in rows
  resize();
  view.scrollTop = top * height();
  tell(cursor, true);
}
