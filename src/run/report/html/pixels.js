// Draws the cells on the screen pixel by pixel: the time of a frame is that of its pixels, however
// many cells there are. Cells with letters are copied from bitmaps, which are made once.
let pixels = null;
function paintPixels(v, ratio) {
  const x0 = Math.round(left() * ratio), y0 = Math.round(bodyTop() * ratio);
  const w = canvas.width - x0, h = canvas.height - y0;
  if (w <= 0 || h <= 0) return;
  if (!pixels || pixels.width !== w || pixels.height !== h) pixels = ink.createImageData(w, h);
  const area = { all: new Uint32Array(pixels.data.buffer), w, h };
  area.all.fill(pixelOf(backColour()));
  const xs = edges(v.c0, v.c1, cell * ratio, view.scrollLeft * ratio);
  const ys = edges(v.r0, v.r1, height() * ratio, view.scrollTop * ratio);
  for (let d = v.r0; d < v.r1; ++d) {
    const top = ys[d - v.r0], bottom = ys[d - v.r0 + 1];
    if (cell < 8) plainRow(area, shown[d], v, xs, top, bottom);
    else if (!translates()) letterRow(area, shown[d], v, xs, top, bottom);
    else {
      const middle = top + bottom >> 1;
      letterRow(area, shown[d], v, xs, top, middle);
      aminoRow(area, shown[d], v, ratio, middle, bottom);
    }
  }
  ink.putImageData(pixels, x0, y0);
}
// Where the cells from `from` to before `to` begin, and where the last one ends.
function edges(from, to, size, scrolled) {
  const found = new Int32Array(Math.max(0, to - from) + 1);
  for (let k = 0; k < found.length; ++k) found[k] = Math.round((from + k) * size - scrolled);
  return found;
}

// A row of cells without letters: one line of pixels, then copies of it.
function plainRow(area, r, v, xs, top, bottom) {
  const { all, w, h } = area, { column } = msa, end = msa.start[r + 1];
  const first = Math.max(0, top), last = Math.min(h, bottom);
  if (first >= last) return;
  const line = first * w;
  for (let i = firstFrom(r, columnsShown[v.c0]); i < end; ++i) {
    const c = column[i], k = placeOfColumn[c];
    if (k < 0) continue;
    if (k >= v.c1) break;
    const pixel = pixelAt(i, c, r), to = Math.min(w, xs[k - v.c0 + 1]);
    for (let x = Math.max(0, xs[k - v.c0]); x < to; ++x) all[line + x] = pixel;
  }
  for (let y = first + 1; y < last; ++y) all.copyWithin(y * w, line, line + w);
}

function letterRow(area, r, v, xs, top, bottom) {
  const { column } = msa, end = msa.start[r + 1];
  let i = firstFrom(r, columnsShown[v.c0]);
  for (let k = v.c0; k < v.c1; ++k) {
    const c = columnsShown[k], x = xs[k - v.c0], w = xs[k - v.c0 + 1] - x, h = bottom - top;
    while (i < end && column[i] < c) ++i;
    const is = i < end && column[i] === c, of = is ? cellOf(i, c, r) : { tile: gapTile(), letter: GAP };
    copyBitmap(area, bitmapOf(of.tile, of.letter, w, h), x, top, w, h);
  }
}
function aminoRow(area, r, v, ratio, top, bottom) {
  const edge = k => Math.round((k * cell - view.scrollLeft) * ratio);
  eachAmino(r, v, (k, letter) => {
    const x = edge(k), w = edge(k + 3) - x, h = bottom - top;
    copyBitmap(area, bitmapOf(aminoTile(letter), letter.charCodeAt(0), w, h), x, top, w, h);
  });
}
function pixelAt(i, c, r) {
  if (isSame(i, c, r)) return samePixel || (samePixel = pixelOf(mixed(OTHER, 0.15)));
  const key = keyOf(i, c);
  if (tilePixels[key] === 0) tileOf(i, c);
  return tilePixels[key];
}
function gapTile() {
  return tiles.gap || (tiles.gap = { fill: null, text: css(gapColour()), bitmaps: {} });
}

// A cell with its letter as pixels. Beside whole numbers of pixels for a cell, sizes differ by one.
const stamp = document.createElement('canvas');
const stampInk = stamp.getContext('2d', { willReadFrequently: true });
function bitmapOf(tile, letter, w, h) {
  const key = (w << 16 | h) * 128 + letter;
  return tile.bitmaps[key] || (tile.bitmaps[key] = makeBitmap(tile, letter, w, h));
}
function makeBitmap(tile, letter, w, h) {
  if (stamp.width < w || stamp.height < h) { stamp.width = w; stamp.height = h; }
  const ratio = pixelRatio(), g = stampInk;
  g.fillStyle = tile.fill || css(backColour()); g.fillRect(0, 0, w, h);
  g.fillStyle = tile.text;
  if (letter === GAP) {
    const wide = Math.round(4 * ratio), high = Math.max(1, Math.round(ratio));
    g.fillRect(Math.round((w - wide) / 2), Math.floor(h / 2), wide, high);
  } else {
    g.font = `${Math.round(cell * 0.85 * ratio)}px ui-monospace, monospace`;
    g.textAlign = 'center'; g.textBaseline = 'middle';
    g.fillText(String.fromCharCode(letter), w / 2, h / 2 + ratio);
  }
  return new Uint32Array(g.getImageData(0, 0, w, h).data.buffer);
}
function copyBitmap(area, bitmap, x, y, w, h) {
  const { all } = area;
  const x0 = Math.max(0, x), x1 = Math.min(area.w, x + w), y1 = Math.min(area.h, y + h);
  for (let at = Math.max(0, y); at < y1; ++at) {
    let to = at * area.w + x0, from = (at - y) * w + x0 - x;
    for (const end = at * area.w + x1; to < end; ++to, ++from) all[to] = bitmap[from];
  }
}
