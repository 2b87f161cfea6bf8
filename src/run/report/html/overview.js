// The whole alignment in a strip, each point as dark as it has residues, against the point that has
// most; what is seen is framed.
const overview = $('overview'), overviewInk = overview.getContext('2d');
const STRIP = 48;
let strip = null;  // the picture of the alignment, made when it is first needed
function forgetStrip() { strip = null; }

function makeStrip() {
  const w = Math.max(1, Math.min(columnsShown.length, view.clientWidth));
  const h = Math.max(1, Math.min(shown.length, STRIP));
  const sum = new Float32Array(w * h), xOf = new Int32Array(msa.columns).fill(-1);
  columnsShown.forEach((c, k) => { xOf[c] = Math.floor(k * w / columnsShown.length); });
  const byCode = Float32Array.from({ length: 12 }, (_, code) => 0.25 + 0.75 * (sureOf(code) ?? 1));
  for (let d = 0; d < shown.length; ++d) {
    const r = shown[d], line = Math.floor(d * h / shown.length) * w;
    for (let i = msa.start[r]; i < msa.start[r + 1]; ++i) {
      const x = xOf[msa.column[i]];
      if (x >= 0) sum[line + x] += byCode[msa.codes[i]];
    }
  }
  return drawStrip(w, h, sum);
}
function drawStrip(w, h, sum) {
  const made = document.createElement('canvas');
  made.width = w; made.height = h;
  const image = made.getContext('2d').createImageData(w, h);
  const all = new Uint32Array(image.data.buffer), most = sum.reduce((a, b) => Math.max(a, b), 1e-9);
  const shades = Array.from({ length: 65 }, (_, k) =>
    pixelOf(mixed(isDark() ? '#7db3ee' : '#1f4f86', k / 64)));
  for (let k = 0; k < all.length; ++k)
    all[k] = shades[Math.min(64, Math.round(64 * sum[k] / most))];
  made.getContext('2d').putImageData(image, 0, 0);
  return made;
}

function resizeOverview() {
  overview.hidden = !$('strip').checked;
  const ratio = devicePixelRatio || 1;
  overview.width = Math.round(view.clientWidth * ratio);
  overview.height = STRIP * ratio;
  if (strip && strip.width > view.clientWidth) forgetStrip();
}
function paintOverview() {
  if (overview.hidden || ink !== screenInk || !shown.length || !msa.columns) return;
  strip = strip || makeStrip();
  const w = overview.width, h = overview.height, g = overviewInk;
  g.imageSmoothingEnabled = false;
  g.drawImage(strip, 0, 0, w, h);
  if (cut) paintCut(w, h);
  const v = visible(), x = v.c0 / columnsShown.length * w, y = v.r0 / shown.length * h;
  const wide = Math.max(6, (v.c1 - v.c0) / columnsShown.length * w);
  const high = Math.max(6, (v.r1 - v.r0) / shown.length * h);
  g.lineWidth = 4; g.strokeStyle = css(backColour());
  g.strokeRect(x + 2, y + 2, wide - 4, high - 4);
  g.lineWidth = 2; g.strokeStyle = markColour(); g.strokeRect(x + 1, y + 1, wide - 2, high - 2);
}
function paintCut(w, h) {
  overviewInk.fillStyle = markColour();
  const n = columnsShown.length;
  for (let k = 0; k < n; ++k)
    if (cut[columnsShown[k]]) overviewInk.fillRect(k / n * w, h - 4, Math.max(1, w / n), 4);
}
// The point of the strip under the pointer comes to the middle of the view.
function goTo(event) {
  const box = overview.getBoundingClientRect(), v = visible();
  const c = (event.clientX - box.left) / box.width * columnsShown.length;
  const d = (event.clientY - box.top) / box.height * shown.length;
  view.scrollLeft = (c - (v.c1 - v.c0) / 2) * cell;
  view.scrollTop = (d - (v.r1 - v.r0) / 2) * height();
}
overview.addEventListener('pointerdown', e => {
  overview.setPointerCapture(e.pointerId); goTo(e);
});
overview.addEventListener('pointermove', e => { if (e.buttons & 1) goTo(e); });
