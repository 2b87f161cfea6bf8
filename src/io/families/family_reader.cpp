// SPDX-License-Identifier: Apache-2.0
#include "io/families/family_reader.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "io/families/direction.hpp"
#include "io/families/structure_inputs.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/sha256.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {
namespace {

/// Throws if some sequence is surely nucleotides and another surely a protein.
void check_one_type(const std::vector<SequenceRecord>& records,
                    const std::vector<std::string_view>& letters, const std::string& label) {
  const std::optional<MixedTypes> mixed = find_mixed_types(letters);
  if (!mixed) return;
  throw Error(ErrorKind::bad_input,
              label + ": " + quote(records[mixed->nucleotides].name()) +
                  " has the letters of nucleotides, " + quote(records[mixed->protein].name()) +
                  " those of a protein",
              "align them apart, or say what they all are with {type}");
}

bool has_track(const SequenceRecord& record) { return !record.track.empty(); }

/// The type that the letters suggest; that of proteins for a family with tracks of structures.
/// Warns if the other type is nearly as likely.
ResidueType detected_type(const std::vector<SequenceRecord>& records, const std::string& label) {
  std::vector<std::string_view> letters;
  for (const SequenceRecord& record : records) letters.push_back(record.letters);
  check_one_type(records, letters, label);
  if (std::ranges::any_of(records, has_track)) return ResidueType::protein;
  const TypeGuess guess = guess_residue_type(letters);
  if (guess.is_close) {
    log_warning(label + ": taken for " + std::string(to_string(guess.type)) +
                    formatted(", though %.0f %%", 100 * guess.bases) +
                    " of the letters are A, C, G, T or U",
                "say what they are with {type} protein, dna or rna");
  }
  return guess.type;
}

/// The first few names, `"a", "b", ...`.
template <class Name>
std::string names_of(const std::vector<std::size_t>& places, const Name& name) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, places.size()); ++k) {
    text += (k > 0 ? ", " : "") + quote(name(places[k]));
  }
  return text + (places.size() > kShown ? ", ..." : "");
}

void turn_round(std::vector<SequenceRecord>& records, std::size_t directed,
                const std::string& label) {
  const std::vector<std::size_t> turned = adjust_directions(records, directed);
  if (turned.empty()) return;
  log_warning(label + ": " + counted(turned.size(), "sequence is", "sequences are") +
                  " turned round (reverse complement): " +
                  names_of(turned, [&](std::size_t k) { return records[k].name(); }),
              std::string("their names begin with ") + kTurnedMark);
}

/// Lists the names for which `changed` differs, for a message; empty if there are none.
std::string changes_of(const std::vector<std::string>& names,
                       const std::vector<std::string>& changed, const std::string& what) {
  constexpr std::size_t kShown = 3;
  std::size_t count = 0;
  std::string text;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] == changed[k]) continue;
    if (++count > kShown) continue;
    text += (count > 1 ? ", " : "") + quote(names[k]) + " (sequence " + std::to_string(k + 1) +
            ") is " + changed[k];
  }
  if (count == 0) return {};
  return counted(count, "name is", "names are") + " changed where " + what + ": " + text +
         (count > kShown ? ", ..." : "");
}

/// Warns of names that outputs change: names that are equal or empty, and names with blanks.
void warn_of_names(const SequenceSet& set, const std::string& label) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < set.size(); ++k) {
    names.emplace_back(set.name(set.from_input(k)));
  }
  const std::vector<std::string> whole = whole_names(set);
  const std::string differ = changes_of(
      names, whole, "they must differ, in trees, tables and all formats but FASTA, A2M and A3M");
  if (!differ.empty()) {
    log_warning(label + ": " + differ,
                "empty names, shared ones and control characters; JSON has name and header");
  }
  const std::string blanks =
      changes_of(whole, unique_names(set), "a format has no blanks in names");
  if (!blanks.empty()) {
    log_warning(label + ": " + blanks,
                "nexus, json, phylip-strict, trees and tsv keep them; {name-map} FILE lists all");
  }
}

/// Warns of sequences that have residues, but no known one.
void warn_of_unknown(const SequenceSet& set, const std::string& label) {
  constexpr std::size_t kShown = 3;
  const auto is_unknown = [&](std::uint8_t code) {
    return residues_of_code(set.type(), code).size() == residue_count(set.type());
  };
  std::size_t count = 0;
  std::string text;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    if (set.length(x) == 0 || !std::ranges::all_of(set.coded().codes(x), is_unknown)) continue;
    if (++count <= kShown) text += (count > 1 ? ", " : "") + quote(set.name(x));
  }
  if (count == 0) return;
  log_warning(label + ": " + counted(count, "sequence has", "sequences have") +
                  " no known residue: " + text + (count > kShown ? ", ..." : ""),
              "results for them have no meaning; leave them out");
}

/// Warns of sequences that look like reverse complements of the others.
void warn_of_directions(const SequenceSet& set, std::size_t directed, const std::string& label) {
  const std::vector<std::size_t> backward = backward_sequences(set, directed);
  if (backward.empty()) return;
  const auto name = [&](std::size_t k) { return set.name(set.from_input(k)); };
  log_warning(label + ": " +
                  counted(backward.size(), "sequence looks like the reverse complement",
                          "sequences look like reverse complements") +
                  " of the others: " + names_of(backward, name),
              "{adjust-direction} turns them round");
}

/// Checks that there is memory for a family of the records, and for the names of its rows.
void check_family(const std::vector<SequenceRecord>& records, const std::string& label) {
  constexpr std::size_t kOfResidue = 4;     // in upper case, and codes, whose list grows
  constexpr std::size_t kOfSequence = 512;  // names as the formats have them
  std::size_t residues = 0;
  for (const SequenceRecord& record : records) residues += record.letters.size();
  check_reading(kOfResidue * residues + kOfSequence * records.size(), label,
                counted(records.size(), "sequence"));
}

/// Leaves out the tracks of structures.
void leave_out_tracks(std::vector<SequenceRecord>& records, const std::string& label) {
  if (std::ranges::none_of(records, has_track)) return;
  for (SequenceRecord& record : records) record.track.clear();
  log_warning(label + ": of structures, this run uses the sequences alone",
              "'accord align' uses the secondary structure, too");
}

/// Gives the records the tracks of the source, if it has any.
void add_tracks_of_source(std::vector<SequenceRecord>& records, ResidueType type,
                          const FamilySource& source, const std::string& label) {
  const TrackSource& track = source.track;
  if (!track.of_families.empty()) {
    throw Error(ErrorKind::usage,
                label + ": one family, and tracks of many (" + track.of_families + ")",
                "name the file of the tracks of this family");
  }
  if (!track.file) {
    if (!track.tag.empty()) {
      throw Error(ErrorKind::usage, label + ": sequences without lines " + track.lines(),
                  "GR:TAG and GC:TAG are for Stockholm files; name a file of tracks");
    }
    if (track.is_of_structures && type != ResidueType::protein) {
      throw Error(ErrorKind::usage, label + ": structures of nucleotides",
                  "leave out {type}: of structures, chains of proteins are read");
    }
    if (!source.takes_track) leave_out_tracks(records, label);
    if (track.is_of_structures || (track.table == nullptr && !track.weight)) return;
    throw Error(ErrorKind::usage, label + ": a table or a weight of tracks, and no tracks",
                "add {track} FILE, or leave out {track-matrix} and {track-weight}");
  }
  const std::string what = label + ": tracks (" + input_label(track.file->name) + ") ";
  if (!source.takes_track) {
    throw Error(ErrorKind::usage, what + "for a run that does not use them",
                "leave out {track}; only the alignment of sequences takes tracks");
  }
  const bool is_protein = type == ResidueType::protein;
  if (!is_protein && source.adjust_direction) {
    throw Error(ErrorKind::usage, what + "of sequences that may be turned round",
                "leave out {adjust-direction}, and give sequences of one direction");
  }
  if (track.table != nullptr && track.table->residues.value_or(kind_of(type)) != kind_of(type)) {
    throw Error(ErrorKind::usage,
                what + "of " + (is_protein ? "proteins" : "nucleotides") + ", and the table " +
                    track.table->name,
                std::string("take the table ") + (is_protein ? "mu or ss3" : "rna") +
                    ", or a file with {track-matrix}");
  }
  add_tracks(records, track, label);
}

/// The label of an input, and the end of its records among those of all inputs.
struct InputEnd {
  std::string label;
  std::size_t end;
};

/// Refuses a sequence of a structure whose name another sequence has.
void check_names(const std::vector<SequenceRecord>& records, const std::vector<InputEnd>& inputs) {
  if (std::ranges::none_of(records, has_track)) return;
  const auto label_of = [&](std::size_t k) {
    return std::ranges::upper_bound(inputs, k, {}, &InputEnd::end)->label;
  };
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t k = 0; k < records.size(); ++k) {
    const auto [at, is_new] = seen.try_emplace(records[k].name(), k);
    if (is_new || !(has_track(records[k]) || has_track(records[at->second]))) continue;
    throw Error(ErrorKind::bad_input,
                label_of(k) + ": the name " + quote(records[k].name()) +
                    " is that of a sequence in " + label_of(at->second) + ", too",
                "sequences of structures have the names of their files; rename one, or take two "
                "chains of one file by FILE:A,B");
  }
}

/// Sets that the tracks are those of the structures.
void use_structures(TrackSource& track, const std::string& label) {
  if (track.file || !track.tag.empty()) return;
  if (track.table != nullptr) {
    throw Error(ErrorKind::usage,
                label + ": structures, whose secondary structure has the table ss3, and a table",
                "leave out {track-matrix}, or add {track} FILE, which replaces the structure");
  }
  track.is_of_structures = true;
  track.table = std::make_shared<const TrackTable>(built_in_track_table("ss3"));
}

/// Makes a family of inputs that are added one after the other.
class FamilyOfInputs {
 public:
  FamilyOfInputs(const FamilySource& source, FamilyUse use) : use_(use) {
    input_.label = family_label(source);
    input_.source = source;
    warn_of_other_files(source.files);
  }

  void add(InputText input) {
    const std::string label = input_label(input.file.path);
    const std::string text = std::move(input.text);
    ReadOptions reading = input_.source.reading;
    reading.chains = std::move(input.file.chains);
    std::vector<SequenceRecord> records =
        input.records ? *std::move(input.records) : records_of(text, label, reading);
    if (use_ == FamilyUse::alignment && !text.empty())
      warn_of_dropped_notes(text, label, reading, records);
    if (const TrackSource& track = input_.source.track; !track.tag.empty() && !text.empty()) {
      markup_.add(notes_of(text, label, reading, records).markup, records, track, label);
    }
    remove_gaps(records, label, reading);
    all_.insert(all_.end(), std::make_move_iterator(records.begin()),
                std::make_move_iterator(records.end()));
    ends_.push_back({label, all_.size()});
    input_.files.push_back(std::move(input.digest));
  }

  FamilyInput finish() {
    check_names(all_, ends_);
    TrackSource& track = input_.source.track;
    markup_.give_to(track, input_.label);
    if (std::ranges::any_of(all_, has_track)) use_structures(track, input_.label);
    warn_of_odd_records(all_, input_.label);
    input_.set = make_family(std::move(all_), input_.source, input_.label);
    if (!input_.source.takes_track) track = {};  // those of structures were left out
    check_size(input_.set, input_.source, input_.label);
    return std::move(input_);
  }

 private:
  FamilyUse use_;
  FamilyInput input_;
  std::vector<SequenceRecord> all_;
  std::vector<InputEnd> ends_;
  MarkupTracks markup_;
};

}  // namespace

std::string family_label(const FamilySource& source) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, source.files.size()); ++k) {
    text += (k > 0 ? ", " : "") + input_label(source.files[k]);
  }
  if (source.files.size() <= kShown) return text;
  return text + " and " + std::to_string(source.files.size() - kShown) + " more";
}

InputText read_input(const InputFile& file, const FamilySource& source, bool with_checksums) {
  std::string bytes = read_bytes(file.path, source.limits());
  FileDigest digest{file.named, bytes.size(), with_checksums ? sha256(bytes) : ""};
  return {file, std::move(digest),
          unpacked(std::move(bytes), input_label(file.path), source.limits())};
}

std::vector<SequenceRecord> records_of_input(const InputText& input, const FamilySource& source) {
  ReadOptions reading = source.reading;
  reading.chains = input.file.chains;
  return records_of(input.text, input_label(input.file.path), reading);
}

std::vector<InputText> read_inputs(const FamilySource& source, bool with_checksums) {
  const TimelineSpan span(SpanKind::step, "read");
  std::vector<InputText> inputs;
  for (const InputFile& file : files_of_inputs(source.files)) {
    inputs.push_back(read_input(file, source, with_checksums));
    const InputText& last = inputs.back();
    count_reading(last.text.size(), input_label(last.file.path), "the texts of the inputs");
  }
  return inputs;
}

FamilyInput family_of_inputs(const FamilySource& source, std::vector<InputText> inputs,
                             FamilyUse use) {
  const TimelineSpan span(SpanKind::step, "read");
  FamilyOfInputs family(source, use);
  for (InputText& input : inputs) family.add(std::move(input));
  return family.finish();
}

FamilyInput read_family(const FamilySource& source, bool with_checksums, FamilyUse use) {
  const TimelineSpan span(SpanKind::step, "read");
  FamilyOfInputs family(source, use);
  const std::vector<InputFile> files = files_of_inputs(source.files);
  for (std::size_t k = 0; k < files.size();) {
    std::vector<InputText> structures =
        read_structures(std::span(files).subspan(k), source, with_checksums);
    k += structures.size();
    for (InputText& structure : structures) family.add(std::move(structure));
    if (structures.empty()) family.add(read_input(files[k++], source, with_checksums));
  }
  return family.finish();
}

SequenceSet make_family(std::vector<SequenceRecord> records, const FamilySource& source,
                        const std::string& label, std::size_t directed) {
  const ResidueType type = source.type ? *source.type : detected_type(records, label);
  if (source.adjust_direction) {
    if (type == ResidueType::protein) {
      log_warning(label + ": proteins have no direction to adjust",
                  "leave out {adjust-direction}, or say {type} dna or rna");
    } else {
      turn_round(records, directed, label);
    }
  }
  add_tracks_of_source(records, type, source, label);
  check_family(records, label);
  SequenceSet set(std::move(records), type);
  warn_of_unknown(set, label);
  if (source.suggests_direction && !source.adjust_direction) {
    warn_of_directions(set, directed, label);
  }
  if (source.shows_names) warn_of_names(set, label);
  return set;
}

FamilySource source_of_rows(FamilySource source, const std::string& label) {
  if (source.adjust_direction) {
    throw Error(ErrorKind::usage, label + ": rows of an alignment cannot be turned round",
                "leave out {adjust-direction}, or align the sequences anew with it");
  }
  source.suggests_direction = false;
  return source;
}

void check_size(const SequenceSet& set, const FamilySource& source, const std::string& label) {
  if (source.most_sequences && set.size() > static_cast<std::size_t>(*source.most_sequences)) {
    throw too_many(label, set.size(), source.limits());
  }
  if (source.most_residues && set.size() > 0 &&
      set.length(0) > static_cast<std::uint32_t>(*source.most_residues)) {
    throw too_long(label, set.length(0), source.limits());
  }
}

}  // namespace accord
