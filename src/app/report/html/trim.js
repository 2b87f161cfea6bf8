// What accord trim would leave out: the same rules on the same numbers.
const FATES = ['kept', 'gaps', 'confidence', 'no-residue', 'not-selected', 'consistency', 'codon'];
let cut = null;  // of each column its fate, 0 if it stays; null: nothing is cut

// The confidence of the columns: in a page of accord trim a track beside what is kept.
function trimConfidence() {
  if (measured === 'confidence') return msa.hasConfidence ? msa.confidence : null;
  const track = msa.tracks.find(t => t.name === 'confidence');
  return track ? track.values : null;
}
function columnFates(mostGaps, leastConfidence, endsOnly) {
  const sure = trimConfidence(), fates = new Uint8Array(msa.columns);
  for (let c = 0; c < msa.columns; ++c) {
    if (msa.residues[c] === 0) fates[c] = 3;
    else if ((count - msa.residues[c]) / count > mostGaps) fates[c] = 1;
    else if (leastConfidence !== null && !(sure[c] !== null && sure[c] >= leastConfidence))
      fates[c] = 2;
  }
  if (!endsOnly) return fates;
  const first = fates.indexOf(0), last = fates.lastIndexOf(0);
  for (let c = first; first >= 0 && c < last; ++c) if (fates[c] !== 3) fates[c] = 0;
  return fates;
}

function previewTrim() {
  const gaps = Number($('gaps').value), sure = Number($('sure').value), ends = $('ends').checked;
  const bySure = trimConfidence() !== null && sure > 0;
  $('gapsvalue').textContent = gaps.toFixed(2);
  $('surevalue').textContent = bySure ? sure.toFixed(2) : 'off';
  cut = columnFates(gaps, bySure ? sure : null, ends);
  $('command').textContent = `accord trim MSA --max-gaps ${gaps}` +
    (bySure ? ` --min-confidence ${sure}` : '') + (ends ? ' --ends' : '');
  sayCut(); putColumns();
}
// Where columns were hidden or are, all places change.
function putColumns() {
  if (!hides && !$('hide').checked) { draw(); return; }
  takeColumns(); resize(); show();
}
function sayCut() {
  const of = fate => cut.reduce((sum, f) => sum + (f === fate), 0);
  const parts = FATES.map((why, k) => k && of(k) ? `${of(k)} go by ${why}` : '').filter(Boolean);
  $('cutcount').textContent = `${of(0)} of ${msa.columns} columns stay` +
    (parts.length ? `, ${parts.join(', ')}` : '');
  $('copycommand').hidden = !$('command').textContent;
}
// A page of accord trim shows what was cut, which its report says, until a rule is moved.
function takeKept() {
  if (measured !== 'kept') return null;
  const fates = new Uint8Array(msa.columns);
  for (const line of data.report.split('\n')) {
    const [what, range, , why] = line.split('\t');
    if (what !== 'columns') continue;
    const [first, last] = range.split('-').map(Number);
    fates.fill(FATES.indexOf(why), first - 1, last);
  }
  return fates;
}
function toggleTrim(opens) {
  $('trimbar').hidden = !opens;
  $('trim').setAttribute('aria-expanded', String(opens));
  cut = takeKept();
  $('command').textContent = '';
  for (const id of ['gapsvalue', 'surevalue']) $(id).textContent = '';
  if (opens && cut) sayCut(); else if (opens) previewTrim();
  takeColumns(); resize(); show();
}
function startTrim() {
  const has = trimConfidence() !== null;
  $('sure').disabled = !has;
  $('sure').parentElement.hidden = !has;
  for (const id of ['gaps', 'sure', 'ends']) $(id).addEventListener('input', previewTrim);
  $('hide').onchange = () => { takeColumns(); resize(); show(); };
  $('trim').onclick = () => toggleTrim($('trimbar').hidden);
  $('copycommand').onclick = () => copy($('command').textContent, 'the command');
  if (measured === 'kept') toggleTrim(true);
}
