// What accord trim would leave out: the same rules on the same numbers.
const FATES = ['kept', 'gaps', 'confidence', 'no-residue', 'not-selected', 'consistency', 'codon'];
let cut = null;  // of each column its fate, 0 if it stays; null: nothing is cut
let rowGoes = new Uint8Array(count);

// The confidence of the columns, if it is the one that accord trim computes: in a page of accord trim a track beside what is kept.
function trimConfidence() {
  if (!data.confidenceOfTrim) return null;
  if (measured === 'confidence') return msa.hasConfidence ? msa.confidence : null;
  const track = msa.tracks.find(t => t.name === 'confidence');
  return track ? track.values : null;
}
// The rows that have a gap in a larger share of the columns.
function rowsThatGo(mostGaps) {
  return Uint8Array.from({ length: count }, (_, r) =>
    (msa.columns - (msa.start[r + 1] - msa.start[r])) / msa.columns > mostGaps);
}
// Of each column the residues of the rows that stay.
function residuesLeft() {
  if (!rowGoes.includes(1)) return msa.residues;
  const left = new Uint32Array(msa.columns);
  for (let r = 0; r < count; ++r)
    for (let i = msa.start[r]; !rowGoes[r] && i < msa.start[r + 1]; ++i) ++left[msa.column[i]];
  return left;
}
function columnFates(rules) {
  const sure = trimConfidence(), fates = new Uint8Array(msa.columns), residues = residuesLeft();
  const rows = rowGoes.reduce((sum, goes) => sum + 1 - goes, 0);
  const codon = c => [0, 1, 2].map(k => c - c % 3 + k);
  const used = c => rules.codons ? codon(c).some(k => residues[k]) : residues[c] > 0;
  for (let c = 0; c < msa.columns; ++c) {
    if (!used(c)) fates[c] = 3;
    else if ((rows - residues[c]) / rows > rules.gaps) fates[c] = 1;
    else if (rules.sure !== null && !(sure[c] !== null && sure[c] >= rules.sure)) fates[c] = 2;
  }
  if (rules.codons) {
    for (let c = 0; c < msa.columns; c += 3)
      if (codon(c).some(k => fates[k])) for (const k of codon(c)) fates[k] = fates[k] || 6;
  }
  if (!rules.ends) return fates;
  const first = fates.indexOf(0), last = fates.lastIndexOf(0);
  for (let c = first; first >= 0 && c < last; ++c) if (fates[c] !== 3) fates[c] = 0;
  return fates;
}

// What the controls ask for. The confidence is that of all rows: where some go, it would be
// another one, which the page does not know.
function trimRules() {
  const rowGaps = Number($('rowgaps').value), sure = Number($('sure').value);
  rowGoes = rowsThatGo(rowGaps);
  const bySure = trimConfidence() !== null && sure > 0 && !rowGoes.includes(1);
  return { gaps: Number($('gaps').value), sure: bySure ? sure : null, rowGaps,
    ends: $('ends').checked, codons: $('codons').checked && !$('codons').parentElement.hidden };
}
function previewTrim() {
  const rules = trimRules();
  $('gapsvalue').textContent = rules.gaps.toFixed(2);
  $('rowgapsvalue').textContent = rules.rowGaps < 1 ? rules.rowGaps.toFixed(2) : 'off';
  $('surevalue').textContent = rules.sure !== null ? rules.sure.toFixed(2) : 'off';
  $('sure').disabled = trimConfidence() === null || rowGoes.includes(1);
  cut = columnFates(rules);
  const option = (is, text) => is ? ' ' + text : '';
  $('command').textContent = `accord trim MSA --max-gaps ${rules.gaps}` +
    option(rules.sure !== null, `--min-confidence ${rules.sure}`) +
    option(rules.rowGaps < 1, `--max-row-gaps ${rules.rowGaps}`) +
    option(rules.ends, '--ends') + option(rules.codons, '--codons');
  sayCut(); putColumns();
}
// Where columns were hidden or are, all places change.
function putColumns() {
  if (!hides && !$('hide').checked) { draw(); return; }
  takeShown(); resize(); show();
}
function sayCut() {
  const rowsLeft = rowGoes.reduce((sum, goes) => sum + 1 - goes, 0);
  if (!rowsLeft) {
    $('cutcount').textContent = 'no row stays, which accord trim refuses';
    $('copycommand').hidden = true;
    return;
  }
  const of = fate => cut.reduce((sum, f) => sum + (f === fate), 0);
  const parts = FATES.map((why, k) => k && of(k) ? `${of(k)} go by ${why}` : '').filter(Boolean);
  $('cutcount').textContent = (rowsLeft < count ? `${rowsLeft} of ${count} rows and ` : '') +
    `${of(0)} of ${msa.columns} columns stay` +
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
  $('codons').parentElement.hidden = data.type === 'protein' || msa.columns % 3 !== 0;
  cut = takeKept();
  rowGoes.fill(0);
  $('command').textContent = '';
  for (const id of ['gapsvalue', 'rowgapsvalue', 'surevalue']) $(id).textContent = '';
  if (opens && cut) sayCut(); else if (opens) previewTrim();
  takeShown(); resize(); show();
}
function startTrim() {
  $('trim').hidden = data.part;
  const has = trimConfidence() !== null;
  $('sure').disabled = !has;
  $('sure').parentElement.hidden = !has;
  for (const id of ['gaps', 'rowgaps', 'sure', 'ends', 'codons'])
    $(id).addEventListener('input', previewTrim);
  $('hide').onchange = () => { takeShown(); resize(); show(); };
  $('trim').onclick = () => toggleTrim($('trimbar').hidden);
  $('copycommand').onclick = () => copy($('command').textContent, 'the command');
  if (measured === 'kept' && !data.part) toggleTrim(true);
}
