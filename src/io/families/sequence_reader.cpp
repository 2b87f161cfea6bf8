// SPDX-License-Identifier: Apache-2.0
#include "io/families/sequence_reader.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "io/families/coding_features.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/named_alignments.hpp"

namespace accord {
namespace {

/// The first few names of a list, in quotes, for a warning.
std::string first_quoted(const std::vector<std::string_view>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, names.size()); ++k) {
    text += (k > 0 ? ", " : "") + quote(names[k]);
  }
  if (names.size() > kShown) text += ", ...";
  return text;
}

/// Throws if a text begins as another format than the wanted one, whose reader might misread it.
void check_not_other_format(AlignmentFormat wanted, AlignmentFormat detected,
                            const std::string& label) {
  using enum AlignmentFormat;
  constexpr std::array<std::pair<AlignmentFormat, AlignmentFormat>, 6> kAlike = {
      {{phylip_strict, phylip},
       {a2m, fasta},
       {a3m, fasta},
       {fasta, a2m},
       {fasta, a3m},
       {fasta, pir}}};
  const std::pair<AlignmentFormat, AlignmentFormat> both = {wanted, detected};
  if (wanted == detected || std::find(kAlike.begin(), kAlike.end(), both) != kAlike.end()) return;
  throw Error(ErrorKind::bad_input,
              label + ": begins as " + std::string(format_name(detected)) + ", not as " +
                  std::string(format_name(wanted)),
              "without {in-format} its content decides");
}

/// Warns if the letters are of another type than the text states.
void warn_of_other_type(const std::vector<SequenceRecord>& records, std::string_view text,
                        AlignmentFormat format, const std::string& label,
                        const ReadOptions& options) {
  if (options.is_type_given) return;
  const std::optional<ResidueType> declared = declared_type(text, format, label);
  if (!declared) return;
  check_reading(record_bytes(records), label, counted(records.size(), "sequence"));
  std::vector<std::string> sequences;
  for (const SequenceRecord& record : records) {
    sequences.push_back(record.letters);
    std::erase_if(sequences.back(), is_gap);
  }
  const ResidueType found = guess_residue_type({sequences.begin(), sequences.end()}).type;
  if ((found == ResidueType::protein) == (*declared == ResidueType::protein)) return;
  log_warning(label + ": the file says " + std::string(to_string(*declared)) +
                  ", but its letters are those of " + std::string(to_string(found)),
              "say what they are with {type} protein, dna or rna");
}

void count_records(const std::vector<SequenceRecord>& records, const std::string& label) {
  count_reading(record_bytes(records), label, counted(records.size(), "sequence"));
}

/// The coding sequences of a file in the format genbank or embl.
std::vector<SequenceRecord> records_of_coding(std::string_view text, AlignmentFormat format,
                                              const std::string& label, OddCharacters* left_out) {
  const ReadingHold held(text.size() + parsing_bytes(text, format), label,
                         "the records of the text");
  return coding_records(parse_flat_file(text, format == AlignmentFormat::embl, label, left_out),
                        label);
}

}  // namespace

std::vector<SequenceRecord> records_of(std::string_view whole, const std::string& name,
                                       const ReadOptions& options) {
  const auto [label, text] = text_of_alignment(whole, name, options.replicate);
  // For an unknown format, the FASTA reader reports the error, with its place.
  const std::optional<AlignmentFormat> detected = detect_format(text, label);
  if (options.format && detected) check_not_other_format(*options.format, *detected, label);
  const AlignmentFormat format = options.format.value_or(detected.value_or(AlignmentFormat::fasta));
  if (is_structure(format)) {
    std::vector<SequenceRecord> chains =
        parse_chains(text, format, label, options.chains, options.keeps_atoms);
    count_records(chains, label);
    return chains;
  }
  if (!options.chains.empty()) {
    throw Error(ErrorKind::bad_input,
                label + ": chains of a file that is no structure (" +
                    std::string(format_name(format)) + ")",
                "FILE:A names a chain of a PDB or mmCIF file");
  }
  OddCharacters odd(options.is_aligned);
  OddCharacters* const left_out = options.lenient ? &odd : nullptr;
  const bool is_flat = format == AlignmentFormat::embl || format == AlignmentFormat::genbank;
  const bool takes_coding = options.takes_coding && is_flat;
  std::vector<SequenceRecord> records = takes_coding
                                            ? records_of_coding(text, format, label, left_out)
                                            : parse_records(text, format, label, left_out);
  count_records(records, label);
  warn_of_other_type(records, text, format, label, options);
  warn_of_odd_characters(odd, label);
  return records;
}

void warn_of_odd_characters(const OddCharacters& odd, const std::string& label) {
  if (odd.count() == 0) return;
  log_warning(label + ": " + counted(odd.count(), "character") +
                  (odd.keeps_columns() ? " read as gaps: " : " left out: ") + odd.listed(),
              "such characters cannot stand in a sequence; check that the file is what it seems");
}

AlignmentFormat format_of_text(std::string_view text, const std::string& label,
                               const ReadOptions& options) {
  const LabelledText one = text_of_alignment(text, label, options.replicate);
  return options.format.value_or(detect_format(one.text, label).value_or(AlignmentFormat::fasta));
}

AlignmentNotes notes_of(std::string_view text, const std::string& label, const ReadOptions& options,
                        const std::vector<SequenceRecord>& rows) {
  const LabelledText one = text_of_alignment(text, label, options.replicate);
  return parse_notes(one.text, format_of_text(text, label, options), one.label, rows);
}

void warn_of_dropped_notes(std::string_view text, const std::string& label,
                           const ReadOptions& options, const std::vector<SequenceRecord>& rows) {
  const std::string dropped = lost_in(AlignmentFormat::fasta, notes_of(text, label, options, rows));
  if (dropped.empty()) return;
  log_warning(label + ": the sequences are aligned anew, without the markup: " + dropped,
              "'accord add' and 'accord convert' keep it");
}

void remove_gaps(std::vector<SequenceRecord>& records, const std::string& label,
                 const ReadOptions& options) {
  std::size_t gaps = 0;
  std::vector<std::string_view> gapped;
  for (SequenceRecord& record : records) {
    const std::size_t removed = std::erase_if(record.letters, is_gap);
    gaps += removed;
    if (removed == 0) continue;
    gapped.push_back(record.name());
    record.letters.shrink_to_fit();
  }
  if (gaps == 0) return;
  const std::string found =
      counted(gaps, "gap character") + (options.refuse_gaps ? " in " : " removed from ");
  if (options.refuse_gaps) {
    throw Error(
        ErrorKind::bad_input,
        label + ": " + found + counted(gapped.size(), "sequence") + ": " + first_quoted(gapped),
        "give sequences without gaps, or {gaps=remove}, which takes them out");
  }
  log_warning(label + ": " + found + counted(gapped.size(), "sequence"));
}

void warn_of_odd_records(const std::vector<SequenceRecord>& records, const std::string& label) {
  std::vector<std::string_view> empty, repeated;
  std::size_t nameless = 0;
  std::unordered_map<std::string_view, std::size_t> uses;
  for (const SequenceRecord& record : records) {
    const std::string_view name = record.name();
    if (record.letters.empty()) empty.push_back(name);
    if (name.empty()) {
      ++nameless;
    } else if (++uses[name] == 2) {
      repeated.push_back(name);
    }
  }
  if (!empty.empty()) {
    log_warning(label + ": " + counted(empty.size(), "sequence") +
                " without residues: " + first_quoted(empty));
  }
  if (nameless > 0) log_warning(label + ": " + counted(nameless, "sequence") + " without a name");
  if (!repeated.empty()) {
    log_warning(label + ": " + counted(repeated.size(), "name belongs", "names belong") +
                " to more than one sequence: " + first_quoted(repeated));
  }
}

std::vector<SequenceRecord> sequences_of(std::string_view text, const std::string& label,
                                         const ReadOptions& options, bool is_for_alignment) {
  std::vector<SequenceRecord> records = records_of(text, label, options);
  if (is_for_alignment) warn_of_dropped_notes(text, label, options, records);
  remove_gaps(records, label, options);
  warn_of_odd_records(records, label);
  return records;
}

}  // namespace accord
