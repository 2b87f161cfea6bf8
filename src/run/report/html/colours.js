// The colours of cells.
const dark = matchMedia('(prefers-color-scheme: dark)');

// By the chemistry of the side chain, apart in lightness as well as in hue.
const OTHER = '#a9b1ba';
const groups = data.type === 'protein'
  ? [['AVLIMCUJ', '#6f9ce8'], ['FWY', '#4fb3bf'], ['KRHO', '#e2645a'], ['DEBZ', '#b678d6'],
     ['NQST', '#63b860'], ['G', '#e8a34c'], ['P', '#c9bd3a']]
  : [['A', '#63b860'], ['CYM', '#6f9ce8'], ['G', '#e8a34c'], ['TU', '#e2645a'],
     ['RSWKBDHVN', OTHER]];
const colourOf = {};
for (const [letters, colour] of groups) for (const l of letters) colourOf[l] = colour;

const backColour = () => dark.matches ? [20, 23, 27] : [255, 255, 255];
const textColour = () => dark.matches ? '#e4e8ec' : '#1b1f24';
const softColour = () => dark.matches ? '#98a2ad' : '#5a636e';
const markColour = () => dark.matches ? '#ffb35c' : '#9a4d00';
function mixed(hex, share) {
  return backColour().map((base, k) =>
    Math.round(base + (parseInt(hex.slice(1 + 2 * k, 3 + 2 * k), 16) - base) * share));
}
const css = rgb => `rgb(${rgb.join(',')})`;
const mix = (hex, share) => css(mixed(hex, share));

// The luminance of WCAG 2; one of black and white has a contrast of 4.58 or more with any colour.
function luminance(rgb) {
  const [r, g, b] = rgb.map(v => v / 255).map(v =>
    v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
const letterOn = rgb => luminance(rgb) > 0.179 ? '#000000' : '#ffffff';

// Clustal X's colours: of each residue its colour and the groups that make more than a share of the
// column together; one of these groups must be there (documentation of Jalview).
const HYDROPHOBIC = [0.6, 'WLVIMAFCHP'];
const each = (share, letters) => [...letters].map(l => [share, l]);
const CLUSTAL = {};
for (const l of 'AILMFWV') CLUSTAL[l] = [['#80a0f0', HYDROPHOBIC]];
CLUSTAL.C = [['#f08080', ...each(0.85, 'C')], ['#80a0f0', HYDROPHOBIC]];
for (const l of 'KR') CLUSTAL[l] = [['#f01505', [0.6, 'KR'], ...each(0.8, 'KRQ')]];
CLUSTAL.E = [['#c048c0', [0.6, 'KR'], [0.5, 'QE'], ...each(0.85, 'EQD')]];
CLUSTAL.D = [['#c048c0', [0.6, 'KR'], ...each(0.85, 'KRQ'), [0.5, 'ED']]];
CLUSTAL.N = [['#15c015', [0.5, 'N'], ...each(0.85, 'NY')]];
CLUSTAL.Q = [['#15c015', [0.6, 'KR'], [0.5, 'QE'], ...each(0.85, 'QEKR')]];
for (const l of 'ST') CLUSTAL[l] = [['#15c015', HYDROPHOBIC, [0.5, 'TS'], ...each(0.85, 'ST')]];
CLUSTAL.G = [['#f09048', [0, 'G']]];
CLUSTAL.P = [['#c0c000', [0, 'P']]];
for (const l of 'HY') CLUSTAL[l] = [['#15a4a4', HYDROPHOBIC, ...each(0.85, 'WYACPQFHILMV')]];
function clustalOf(c) {
  if (msa.clustal[c]) return msa.clustal[c];
  const seen = l => msa.counts[c * PLACES + placeOf(l.charCodeAt(0))], colours = {};
  const has = ([share, letters]) =>
    [...letters].reduce((sum, l) => sum + seen(l), 0) > share * count;
  for (const l in CLUSTAL) {
    const rule = CLUSTAL[l].find(([, ...groups]) => groups.some(has));
    if (rule) colours[l] = rule[0];
  }
  return msa.clustal[c] = colours;
}

// Kyte & Doolittle 1982, from -4.5 to 4.5.
const HYDROPATHY = { I: 4.5, V: 4.2, L: 3.8, F: 2.8, C: 2.5, M: 1.9, A: 1.8, G: -0.4, T: -0.7,
  S: -0.8, W: -0.9, Y: -1.3, P: -1.6, H: -3.2, E: -3.5, Q: -3.5, D: -3.5, N: -3.5, K: -3.9,
  R: -4.5 };

// The colour of a residue's cell and how strong it is; null if it has none.
function paintOf(mode, letter, column, sure) {
  const plain = colourOf[letter] || OTHER;
  switch (mode) {
    case 'both': return [plain, sure === null ? 0.8 : 0.12 + 0.8 * sure];
    case 'residue': return [plain, 0.75];
    case 'confidence': return ['#2b6cb0', 0.85 * (sure === null ? 1 : sure)];
    case 'clustal': return clustalOf(column)[letter] ? [clustalOf(column)[letter], 0.85] : null;
    case 'hydrophobicity': {
      const value = HYDROPATHY[letter];
      return value === undefined ? null
        : [value > 0 ? '#e2645a' : '#4f86d9', Math.abs(value) / 4.5];
    }
    default: return null;
  }
}

// How a cell is drawn. There are few different ones, which are made once; a tile's key says letter
// (128: one without a colour in its column), code and whether its column goes.
let tiles = [], tilesOf = '', tileMode = 'none';
const tilePixels = new Uint32Array(129 * 32);  // the colour of a cell without its letter
function takeTiles(mode, ratio) {
  const key = [mode, dark.matches, cell, ratio, decoded.indexOf(msa)].join();
  if (key === tilesOf) return;
  tiles = []; tilePixels.fill(0); tilesOf = key; tileMode = mode;
}
const sureOf = code => code === NOT_KNOWN ? null : code === 10 ? 0.975 : code / 10;
const pixelOf = ([r, g, b]) => (0xff000000 | b << 16 | g << 8 | r) >>> 0;
// The letters that Clustal X colours in a column, as bits; bit 31: it is known.
function maskOf(c) {
  if (msa.masks[c]) return msa.masks[c];
  let mask = 1 << 31;
  for (const l in clustalOf(c)) mask |= 1 << placeOf(l.charCodeAt(0));
  return msa.masks[c] = mask;
}
function keyOf(i, c) {
  const letter = msa.letter[i], goes = cut !== null && cut[c] > 0 ? 1 : 0;
  const lacks = tileMode === 'clustal' && !(maskOf(c) >> (letter & 31) & 1);
  return (lacks ? 128 : letter) << 5 | msa.codes[i] << 1 | goes;
}
function tileOf(i, c) {
  const key = keyOf(i, c);
  return tiles[key] || (tiles[key] = makeTile(key, i, c));
}
function makeTile(key, i, column) {
  const letter = String.fromCharCode(msa.letter[i]), goes = key & 1;
  const paint = paintOf(tileMode, letter.toUpperCase(), column, sureOf(msa.codes[i]));
  const rgb = paint ? mixed(paint[0], goes ? paint[1] * 0.2 : paint[1]) : null;
  const text = goes ? softColour() : rgb ? letterOn(rgb) : textColour();
  // A cell without a colour is grey where there is no room for its letter.
  tilePixels[key] = pixelOf(rgb || mixed(OTHER, goes ? 0.2 : 0.5));
  return { fill: rgb && css(rgb), text, bitmaps: {} };
}
