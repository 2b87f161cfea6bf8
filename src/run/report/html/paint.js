// Draws the visible part. `ink` is the canvas, or an object that makes a picture in SVG.
function paint() {
  waiting = false;
  const ratio = pixelRatio(), w = canvas.width / ratio, h = canvas.height / ratio;
  const v = visible(), sx = left() - view.scrollLeft, sy = bodyTop() - view.scrollTop;
  takeTiles($('colour').value, ratio);
  ink.setTransform(ratio, 0, 0, ratio, 0, 0);
  ink.fillStyle = css(backColour()); ink.fillRect(0, 0, w, h);
  within(left(), bodyTop(), w, h, () => {
    if (ink === screenInk) paintPixels(v, ratio); else paintCells(v, sx, sy);
    if (!isPicture) paintMarks(v, sx, sy);
  });
  within(0, bodyTop(), left(), h, () => { paintNames(v, sy); if (treeWidth) paintTree(v, sy); });
  within(left(), 0, w, bodyTop(), () => { paintRuler(v, sx); paintTracks(v, sx); });
  paintLabels();
  ink.strokeStyle = mix('#808080', 0.4); ink.lineWidth = 1; ink.beginPath();
  ink.moveTo(left() - 0.5, 0); ink.lineTo(left() - 0.5, h);
  ink.moveTo(0, bodyTop() - 0.5); ink.lineTo(w, bodyTop() - 0.5); ink.stroke();
  paintOverview();
}
function within(x, y, w, h, paintPart) {
  ink.save(); ink.beginPath(); ink.rect(x, y, w, h); ink.clip();
  paintPart(); ink.restore();
}

// The cells as rectangles and letters, for a picture; pixels.js draws them on the screen.
function paintCells(v, sx, sy) {
  const rh = lineHeight();
  ink.font = letterFont(); ink.textAlign = 'center'; ink.textBaseline = 'middle';
  for (let d = v.r0; d < v.r1; ++d) {
    const r = shown[d], y = sy + d * height(), end = msa.start[r + 1];
    let next = v.c0;
    for (let i = firstFrom(r, columnsShown[v.c0]); i < end; ++i) {
      const k = placeOfColumn[msa.column[i]], { tile, letter } = cellOf(i, msa.column[i], r);
      if (k < 0) continue;
      if (k >= v.c1) break;
      paintGaps(next, k, sx, y);
      next = k + 1;
      if (tile.fill) { ink.fillStyle = tile.fill; ink.fillRect(sx + k * cell, y, cell, rh); }
      if (cell < 8) continue;
      ink.fillStyle = tile.text;
      ink.fillText(String.fromCharCode(letter), sx + (k + 0.5) * cell, y + rh / 2 + 1);
    }
    paintGaps(next, v.c1, sx, y);
    if (translates()) paintAmino(r, v, sx, y + rh);
  }
}
function paintAmino(r, v, sx, y) {
  eachAmino(r, v, (k, letter) => {
    const { fill, text } = aminoTile(letter), x = sx + k * cell;
    if (fill) { ink.fillStyle = fill; ink.fillRect(x, y, 3 * cell, lineHeight()); }
    ink.fillStyle = text; ink.fillText(letter, x + 1.5 * cell, y + lineHeight() / 2 + 1);
  });
}
const gapColour = () => mixed('#808080', 0.6);
function paintGaps(from, to, sx, y) {
  if (cell < 8) return;
  ink.fillStyle = css(gapColour());
  for (let k = from; k < to; ++k)
    ink.fillRect(sx + (k + 0.5) * cell - 2, y + Math.floor(lineHeight() / 2), 4, 1);
}

// The matches of a search, and the cursor.
function paintMarks(v, sx, sy) {
  const rh = height();
  ink.lineWidth = 2; ink.strokeStyle = markColour();
  matches.forEach((m, k) => {
    const d = placeIn[m.row];
    if (m.to === undefined || d < v.r0 || d >= v.r1) return;
    ink.globalAlpha = k === match ? 1 : 0.45;
    const from = nearestPlace(m.from), to = nearestPlace(m.to);
    ink.strokeRect(sx + from * cell, sy + d * rh + 1, (to - from + 1) * cell, rh - 2);
  });
  ink.globalAlpha = 1;
  const x = sx + placeOfColumn[cursor.column] * cell, y = sy + placeIn[cursor.row] * rh;
  ink.lineWidth = cell < 8 ? 2 : 1.5; ink.strokeStyle = textColour();
  ink.strokeRect(x + 0.5, y + 0.5, Math.max(4, cell - 1), Math.max(4, rh - 1));
  ink.lineWidth = 1;
}

function paintNames(v, sy) {
  const rh = height(), x = treeWidth;
  ink.font = nameFont(); ink.textAlign = 'left'; ink.textBaseline = 'middle';
  const named = new Set(matches.filter(m => m.to === undefined).map(m => m.row));
  for (let d = v.r0; d < v.r1; ++d) {
    const r = shown[d], y = sy + d * rh;
    if (!isPicture && selected.has(r)) { ink.fillStyle = mix('#2b7de9', 0.35); ink.fillRect(x, y, names, rh); }
    if (!isPicture && r === cursor.row) { ink.fillStyle = mix('#2b7de9', 0.2); ink.fillRect(x, y, names, rh); }
    if (core[r]) { ink.fillStyle = markColour(); ink.fillRect(x + names - 4, y, 3, rh); }
    if (!hasNames()) continue;
    ink.fillStyle = named.has(r) ? markColour() : textColour();
    const name = fitted(data.names[r], names - 14);
    ink.fillText(name, x + 6, y + rh / 2 + 1);
    if (!rowGoes[r]) continue;
    ink.fillStyle = markColour();
    ink.fillRect(x + 6, y + rh / 2, ink.measureText(name).width, 1.5);
  }
}
const fits = new Map();
function fitted(name, width) {
  const key = `${ink.font}|${width}|${name}`;
  if (!fits.has(key)) { if (fits.size > 20000) fits.clear(); fits.set(key, cutName(name, width)); }
  return fits.get(key);
}
// The middle of a long name goes: its beginning and its end are what tells it from others.
function cutName(name, width) {
  if (ink.measureText(name).width <= width) return name;
  const text = keep => name.slice(0, Math.ceil(keep * 0.6)) + '\u2026' +
    name.slice(name.length - Math.floor(keep * 0.4));
  let keep = 1, most = name.length;  // the letters that fit, and those that do not
  while (most - keep > 1) {
    const middle = keep + most >> 1;
    if (ink.measureText(text(middle)).width > width) most = middle; else keep = middle;
  }
  return text(keep);
}

function paintRuler(v, sx) {
  ink.font = LABEL; ink.textAlign = 'center'; ink.textBaseline = 'middle';
  ink.fillStyle = textColour();
  const step = [5, 10, 20, 50, 100, 200, 500].find(s => s * cell >= 50) || 1000;
  for (let k = Math.max(0, v.c0 - step); k < v.c1; ++k) {
    // Between hidden columns, the numbers of columns at regular places.
    if (lacksColumns() ? k % step : (k + 1) % step && k !== 0) continue;
    const x = sx + (k + 0.5) * cell;
    ink.fillText(String(columnsShown[k] + 1), x, 8); ink.fillRect(x - 0.5, RULER - 5, 1, 4);
  }
  if (!isPicture) {
    ink.fillStyle = mix('#2b7de9', 0.6);
    ink.fillRect(sx + placeOfColumn[cursor.column] * cell, RULER - 3, Math.max(2, cell), 3);
    paintSelectedColumns(sx);
  }
  ink.fillStyle = markColour();
  if (region >= 0 && !isPicture) {
    const from = nearestPlace(regions[region].from), to = nearestPlace(regions[region].to);
    ink.fillRect(sx + from * cell, 0, (to - from + 1) * cell, 2);
  }
  if (cut || lacksColumns()) paintCutMarks(v, sx);
}
// Columns that go are marked where no colour can hide the mark; hidden columns, by a line.
function paintCutMarks(v, sx) {
  for (let k = v.c0; k < v.c1; ++k) {
    const c = columnsShown[k], x = sx + k * cell;
    if (cut && cut[c]) ink.fillRect(x, RULER - 3, cell, 3);
    if (c !== (k ? columnsShown[k - 1] + 1 : 0)) ink.fillRect(x - 1, RULER - 6, 2, 6);
  }
}

// Bars of a column each, or, of narrow columns, of as many as a pixel has.
function paintTracks(v, sx) {
  const step = Math.max(1, Math.floor(1.5 / cell));
  for (let k = v.c0; k < v.c1; k += step) {
    const c = columnsShown[k], x = sx + k * cell, w = (cell > 5 ? cell - 1 : cell) * step;
    bar(x, w, RULER + TRACK, msa.conservation[c], '#7c8692');
    const sure = msa.hasConfidence ? msa.confidence[c] : null;
    if (sure !== null) bar(x, w, RULER + 2 * TRACK, sure, isDark() ? '#4f94dd' : '#2b6cb0');
    msa.tracks.forEach((track, t) => {
      if (track.values[c] !== null) bar(x, w, trackBottom(t), track.values[c], '#7a6fb0', THIN);
    });
  }
  paintLogo(v, sx);
  if (cell < 8) return;
  paintLines(v, sx);
  ink.font = letterFont(); ink.textAlign = 'center'; ink.fillStyle = textColour();
  const y = consensusTop() + lineHeight() / 2 + 1;
  for (let k = v.c0; k < v.c1; ++k)
    ink.fillText(msa.consensus[columnsShown[k]], sx + (k + 0.5) * cell, y);
}
function bar(x, w, bottom, share, colour, space = TRACK) {
  const h = Math.round(share * (space - 6));
  ink.fillStyle = colour; ink.fillRect(x, bottom - 2 - h, w, h);
}
function paintLabels() {
  const x = left() - 6, most = left() - 10;
  ink.fillStyle = textColour(); ink.font = LABEL;
  ink.textAlign = 'right'; ink.textBaseline = 'middle';
  ink.fillText('conservation', x, RULER + TRACK / 2, most);
  if (msa.hasConfidence) ink.fillText(measured, x, RULER + TRACK * 1.5, most);
  msa.tracks.forEach((track, k) =>
    ink.fillText(fitted(track.name, most), x, trackBottom(k) - THIN / 2));
  if (logoHeight()) ink.fillText('bits', x, logoTop() + logoHeight() / 2, most);
  if (cell < 8) return;
  paintLineLabels(x, most);
  ink.font = nameFont();
  ink.fillText('consensus', x, consensusTop() + lineHeight() / 2, most);
}
