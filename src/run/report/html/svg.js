// Draws the visible part as SVG: the part of a canvas' methods that paint() uses.
class SvgInk {
  constructor(width, height) {
    this.parts = [`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}">`];
    this.path = ''; this.open = [0]; this.clips = 0; this.dash = [];
    this.globalAlpha = 1; this.lineWidth = 1;
  }
  // What no XML may have, such as U+FFFF and half of a character, becomes U+FFFD.
  static text(value) {
    return String(value)
      .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
      .replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
  }
  static round(value) { return Math.round(value * 100) / 100; }
  box(x, y, w, h) {
    const r = SvgInk.round;
    return `x="${r(x)}" y="${r(y)}" width="${r(Math.max(0, w))}" height="${r(Math.max(0, h))}"`;
  }
  line() {
    return `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" ` +
      `opacity="${this.globalAlpha}" stroke-dasharray="${this.dash.join(' ')}"`;
  }
  setTransform() {}
  save() { this.open.push(0); }
  restore() { for (let k = this.open.pop(); k > 0; --k) this.parts.push('</g>'); }
  clip() {
    const id = `clip${this.clips++}`;
    this.parts.push(`<clipPath id="${id}">${this.path}</clipPath><g clip-path="url(#${id})">`);
    ++this.open[this.open.length - 1]; this.path = '';
  }
  beginPath() { this.path = ''; }
  rect(x, y, w, h) { this.path += `<rect ${this.box(x, y, w, h)}/>`; }
  moveTo(x, y) { this.path += `M${SvgInk.round(x)} ${SvgInk.round(y)}`; }
  lineTo(x, y) { this.path += `L${SvgInk.round(x)} ${SvgInk.round(y)}`; }
  stroke() { this.parts.push(`<path d="${this.path}" ${this.line()}/>`); }
  fill() { this.parts.push(`<path d="${this.path}" fill="${this.fillStyle}"/>`); }
  setLineDash(dash) { this.dash = dash; }
  fillRect(x, y, w, h) {
    this.parts.push(`<rect ${this.box(x, y, w, h)} fill="${this.fillStyle}"/>`);
  }
  strokeRect(x, y, w, h) { this.parts.push(`<rect ${this.box(x, y, w, h)} ${this.line()}/>`); }
  measureText(text) { screenInk.font = this.font; return screenInk.measureText(text); }
  fillText(text, x, y, most) {
    const r = SvgInk.round, over = most !== undefined && this.measureText(text).width > most;
    const fit = over ? ` textLength="${r(most)}" lengthAdjust="spacingAndGlyphs"` : '';
    const anchor = { left: 'start', center: 'middle', right: 'end' }[this.textAlign];
    this.parts.push(`<text x="${r(x)}" y="${r(y)}" text-anchor="${anchor}" ` +
      `dominant-baseline="central" style="font:${this.font}" fill="${this.fillStyle}"${fit}>` +
      `${SvgInk.text(text)}</text>`);
  }
  // An outline in a box of 1 by 1, stretched over a rectangle.
  shape(path, x, y, w, h) {
    const r = SvgInk.round;
    this.parts.push(`<path transform="translate(${r(x)} ${r(y)}) scale(${w.toFixed(4)} ` +
      `${h.toFixed(4)})" fill="${this.fillStyle}" fill-rule="evenodd" d="${path}"/>`);
  }
  finish() { return this.parts.join('\n') + '\n</svg>\n'; }
}
function svgText() {
  const svg = new SvgInk(canvas.width / pixelRatio(), canvas.height / pixelRatio());
  ink = svg; isPicture = true;
  try { paint(); } finally { ink = screenInk; isPicture = false; }
  return svg.finish();
}
// Draws what is seen with more pixels, without cursor and marks; then `use` takes the canvas.
function asPicture(scale, use) {
  isPicture = true; pictureScale = scale;
  try { resize(); paint(); use(); } finally { endPicture(); }
}
function endPicture() { isPicture = false; pictureScale = 0; resize(); }
// A printer has about three times the pixels of a screen.
addEventListener('beforeprint', () => { isPicture = true; pictureScale = 3; resize(); paint(); });
addEventListener('afterprint', endPicture);
// The command that draws what the page shows as a figure: its columns, colours and tracks.
function figureCommand() {
  const range = columnsChosen(), tracks = ['conservation'];
  if (msa.hasConfidence) tracks.push('confidence');
  if ($('logo').checked) tracks.push('logo');
  if (data.lines.length) tracks.push('structure');
  return `accord view MSA -o figure.svg --colours ${$('colour').value}` +
    ` --above ${tracks.join(',')}` + (range ? ` --columns ${range.from + 1}-${range.to + 1}` : '') +
    (msa.hasConfidence ? '' : ' --no-confidence');
}
function download(blob, suffix) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = data.title.replace(/[^\w.-]+/g, '_') + suffix;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
function save(kind) {
  if (kind === 'svg') download(new Blob([svgText()], { type: 'image/svg+xml' }), '.svg');
  if (kind.startsWith('png'))
    asPicture(Number(kind.slice(3)), () => canvas.toBlob(blob => download(blob, '.png')));
  if (kind === 'command') copy(figureCommand(), 'the command');
  if (kind === 'fasta') download(new Blob([fasta()], { type: 'text/plain' }), '.fa');
}
