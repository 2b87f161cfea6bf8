// The data of the page: JSON of each of its files, or, of a page of more than a million residues, a
// title and the rest packed: JSON as gzip, in base64.
// Of several files the address says which is shown: #file=2.
const $ = id => document.getElementById(id);
const files = [JSON.parse($('data').textContent)].flat();
const fileShown = Math.min(files.length, Math.max(1,
  Number(new URLSearchParams(location.hash.slice(1)).get('file')) || 1)) - 1;
async function unpacked(packed) {
  if (typeof DecompressionStream === 'undefined') {
    $('facts').textContent = 'This browser cannot unpack the page: use one of 2023 or newer.';
    throw new Error($('facts').textContent);
  }
  const letters = atob(packed), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}
const file = files[fileShown];
const data = file.packed ? await unpacked(file.packed) : file;
