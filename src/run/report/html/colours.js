// The colours of cells.
const dark = matchMedia('(prefers-color-scheme: dark)');

// DRAWING is the table that figures of the program are drawn by, too (drawing.json).
const ALPHABET = data.type === 'protein' ? 'protein' : 'nucleotide';
const OTHER = '#a9b1ba';
const schemes = {};
for (const scheme of DRAWING.schemes) schemes[scheme.name] = readScheme(scheme);
function readScheme(scheme) {
  const table = scheme.as ? DRAWING.schemes.find(other => other.name === scheme.as) : scheme;
  const found = { ...scheme, isFor: !scheme.of || scheme.of === ALPHABET, fill: {}, rules: {},
    steps: table.steps || [], other: table.other };
  for (const [letters, colour, strength] of table[ALPHABET] || [])
    for (const l of letters) found.fill[l] = [colour, strength ?? scheme.strength];
  for (const [letters, colour, ...groups] of table.rules || [])
    for (const l of letters) (found.rules[l] = found.rules[l] || []).push([colour, groups]);
  found.isByColumn = Boolean(table.rules || table.steps || table.same);
  return found;
}

const isDark = () => dark.matches && !isPicture;
const backColour = () => isDark() ? [20, 23, 27] : [255, 255, 255];
const textColour = () => isDark() ? '#e4e8ec' : '#1b1f24';
const softColour = () => isDark() ? '#98a2ad' : '#5a636e';
const markColour = () => isDark() ? '#ffb35c' : '#9a4d00';
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

// The colours of the residues of a column, by letter, where these depend on the column: the first
// rule of a residue one of whose groups makes more than a share of the rows, the share of the most
// frequent residue, or what scores well with that (documentation of Jalview).
let columnColours = [], columnColoursOf = '';
function coloursOf(c, name) {
  const key = name + decoded.indexOf(msa);
  if (key !== columnColoursOf) { columnColours = []; columnColoursOf = key; }
  return columnColours[c] || (columnColours[c] = columnScheme(c, schemes[name]));
}
function columnScheme(c, scheme) {
  const seen = l => msa.counts[c * PLACES + placeOf(l.charCodeAt(0))], colours = {};
  const has = ([share, letters]) =>
    [...letters].reduce((sum, l) => sum + seen(l), 0) > share * count;
  for (const l in scheme.rules) {
    const rule = scheme.rules[l].find(([, groups]) => groups.some(has));
    if (rule) colours[l] = rule[0];
  }
  const most = mostOf(c);
  if (!most) return colours;
  const step = scheme.steps.find(([share]) => seen(most) > share * count);
  if (step) colours[most] = step[1];
  if (scheme.same) {
    for (const l of scheme.positive[most] || '') colours[l] = scheme.similar;
    colours[most] = scheme.same;
  }
  return colours;
}
// The most frequent letter of a column, the first in the alphabet of several; '' if there is none.
function mostOf(c) {
  let most = 0;
  for (let k = 1; k <= 26; ++k)
    if (msa.counts[c * PLACES + k] > (most ? msa.counts[c * PLACES + most] : 0)) most = k;
  return most ? letterAt(most) : '';
}

// The colour of a residue's cell and how strong it is; null if it has none.
function paintOf(mode, letter, column, sure) {
  const scheme = schemes[mode];
  if (scheme.isByColumn) {
    const colour = coloursOf(column, mode)[letter];
    return colour ? [colour, scheme.strength] : null;
  }
  const fill = scheme.fill[letter] || (scheme.other || scheme.colour
    ? [scheme.other || scheme.colour, scheme.strength] : null);
  if (!fill || !scheme.by_confidence || sure === null) return fill;
  const [least, more] = scheme.by_confidence;
  return [fill[0], least + more * sure];
}

// How a cell is drawn. There are few different ones, which are made once; a tile's key says letter
// (and which colour, where that depends on the column), code and whether its column goes.
let tiles = [], tilesOf = '', tileMode = 'none', tileByColumn = false;
const tilePixels = new Uint32Array(16 * 128 * 32);  // the colour of a cell without its letter
function takeTiles(mode, ratio) {
  const key = [mode, isDark(), cell, ratio, decoded.indexOf(msa)].join();
  if (key === tilesOf) return;
  tiles = []; tilePixels.fill(0); tilesOf = key; tileMode = mode;
  tileByColumn = schemes[mode].isByColumn;
  columnPlaces = []; colourPlaces.length = 0; samePixel = 0;
}
const sureOf = code => code === NOT_KNOWN ? null : code === 10 ? 0.975 : code / 10;
const pixelOf = ([r, g, b]) => (0xff000000 | b << 16 | g << 8 | r) >>> 0;
// Where colours depend on columns: of each column and letter (its last five bits) 0 for no colour,
// else one more than the place of the colour.
const colourPlaces = [];
let columnPlaces = [];
let samePixel = 0;  // of a cell that is a dot
function placesOf(c) {
  if (columnPlaces[c]) return columnPlaces[c];
  const places = columnPlaces[c] = new Uint8Array(32), colours = coloursOf(c, tileMode);
  for (const l in colours) {
    const k = colourPlaces.indexOf(colours[l]);
    places[l.charCodeAt(0) & 31] = k < 0 ? colourPlaces.push(colours[l]) : k + 1;
  }
  return places;
}
function keyOf(i, c) {
  const goes = cut !== null && cut[c] > 0 ? 1 : 0;
  const kind = tileByColumn ? placesOf(c)[msa.letter[i] & 31] << 7 : 0;
  return (kind | msa.letter[i]) << 5 | msa.codes[i] << 1 | goes;
}
function tileOf(i, c) {
  const key = keyOf(i, c);
  return tiles[key] || (tiles[key] = makeTile(key, i, c));
}
function makeTile(key, i, column) {
  const letter = String.fromCharCode(msa.letter[i]), goes = key & 1;
  const paint = paintOf(tileMode, letter.toUpperCase(), column, sureOf(msa.codes[i]));
  // What goes is so faint that its soft letter keeps its contrast.
  const rgb = paint ? mixed(paint[0], goes ? Math.min(0.12, paint[1] * 0.2) : paint[1]) : null;
  const text = goes ? softColour() : rgb ? letterOn(rgb) : textColour();
  // A cell without a colour is grey where there is no room for its letter.
  tilePixels[key] = pixelOf(rgb || mixed(OTHER, goes ? 0.2 : 0.5));
  return { fill: rgb && css(rgb), text, bitmaps: {} };
}
