// SPDX-License-Identifier: Apache-2.0
#include "io/families/given_alignments.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// All records, and for each the name of its file in messages.
struct Records {
  std::vector<SequenceRecord> all;
  std::vector<std::string> labels;  // [record]

  void add(std::vector<SequenceRecord> records, const std::string& label) {
    for (SequenceRecord& record : records) {
      all.push_back(std::move(record));
      labels.push_back(label);
    }
  }
};

/// Throws if two records have the same name. name(k) is the name of record k, from the file
/// labels[k].
template <class Name>
void check_names(const std::vector<std::string>& labels, const Name& name) {
  std::unordered_map<std::string_view, std::size_t> seen;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const auto [first, is_new] = seen.try_emplace(name(k), k);
    if (is_new) continue;
    const std::string& before = labels[first->second];
    throw Error(ErrorKind::bad_input,
                labels[k] + ": the name " + quote(name(k)) + " occurs twice" +
                    (before == labels[k] ? "" : ", also in " + before),
                "rename one of the two, or leave it out");
  }
}

/// Adds the secondary structure of structures to a file of tracks in the letters of ss3, unless the
/// file has other tracks for them.
void add_structures(TrackSource& track, const std::vector<SequenceRecord>& records) {
  if (track.table == nullptr || !track.table->takes_dssp()) return;
  std::unordered_set<std::string> known;
  for (NamedTrack& named : parse_tracks(track.file->text, input_label(track.file->name))) {
    known.insert(std::move(named.name));
  }
  std::string& text = track.file->text;
  for (const SequenceRecord& record : records) {
    const std::string name(record.name());
    if (record.track.empty() || known.contains(name)) continue;
    text += (text.ends_with('\n') ? ">" : "\n>") + name + "\n" + record.track + "\n";
  }
}

/// Makes a part of the family from the rows of an alignment; record `first` of the family is its
/// first row.
AlignedPart part_of(const std::vector<SequenceRecord>& rows, std::size_t first,
                    const SequenceSet& set) {
  std::vector<std::pair<std::uint32_t, std::size_t>> order;  // canonical index, row
  for (std::size_t k = 0; k < rows.size(); ++k) {
    order.emplace_back(static_cast<std::uint32_t>(set.from_input(first + k)), k);
  }
  std::sort(order.begin(), order.end());
  AlignedPart part;
  part.msa.columns = static_cast<std::uint32_t>(rows[0].letters.size());
  for (const auto& [x, k] : order) {
    part.members.push_back(x);
    part.msa.column_of.push_back(columns_of_row(rows[k].letters));
  }
  return part;
}

}  // namespace

GivenAlignments::GivenAlignments(const std::vector<std::string>& alignments,
                                 const std::vector<std::string>& sequences,
                                 const FamilySource& source, bool with_checksums) {
  const auto text_of = [&](const std::string& path, const std::string& label) {
    std::string bytes = read_bytes(path, source.limits());
    input_.files.push_back({path, bytes.size(), with_checksums ? sha256(bytes) : ""});
    return unpacked(std::move(bytes), label, source.limits());
  };
  std::vector<Block> rows, others;
  FamilySource with_tracks = source;
  MarkupTracks tracks;
  for (const std::string& path : alignments) {
    const std::string label = input_label(path);
    const std::string text = text_of(path, label);
    rows.push_back({label, aligned_records_of(text, label, source.reading)});
    notes_.push_back(notes_of(text, label, source.reading, rows.back().records));
    tracks.add(notes_.back().markup, rows.back().records, source.track, label);
  }
  for (const std::string& path : sequences) {
    const std::string label = input_label(path);
    const std::string text = text_of(path, label);
    others.push_back({label, records_of(text, label, source.reading)});
    warn_of_dropped_notes(text, label, source.reading, others.back().records);
    if (!source.track.tag.empty()) {
      tracks.add(notes_of(text, label, source.reading, others.back().records).markup,
                 others.back().records, source.track, label);
    }
    remove_gaps(others.back().records, label, source.reading);
  }
  tracks.give_to(with_tracks.track, family_label(source));
  join(rows, std::move(others), with_tracks, family_label(source));
}

GivenAlignments::GivenAlignments(const std::vector<Block>& alignments, std::vector<Block> sequences,
                                 const FamilySource& source, const std::string& label)
    : notes_(alignments.size()) {
  join(alignments, std::move(sequences), source, label);
}

void GivenAlignments::join(const std::vector<Block>& alignments, std::vector<Block> sequences,
                           const FamilySource& source, const std::string& label) {
  Records records;
  for (const Block& block : alignments) {
    std::vector<SequenceRecord> rows_alone = without_gaps(block.records);
    // The columns of the residues, too.
    constexpr std::size_t kCopies = 1 + sizeof(std::uint32_t);
    count_reading(kCopies * record_bytes(rows_alone), block.label,
                  counted(rows_alone.size(), "row"));
    records.add(std::move(rows_alone), block.label);
  }
  const std::size_t rows = records.all.size();
  for (Block& block : sequences) records.add(std::move(block.records), block.label);
  check_names(records.labels, [&](std::size_t k) { return records.all[k].name(); });
  input_.label = label;
  input_.source = source;
  FamilySource used = source;
  // Rows are no structures: without other tracks, those of new structures have no partners.
  used.takes_track = source.takes_track && source.track.file;
  if (used.takes_track) add_structures(used.track, records.all);
  input_.set = make_family(std::move(records.all), used, input_.label, rows);
  if (source.adjust_direction) {  // turned sequences have new names
    check_names(records.labels, [&](std::size_t k) { return set().name(set().from_input(k)); });
  }
  check_size(input_.set, source, input_.label);
  std::size_t first = 0;
  for (const Block& block : alignments) {
    parts_.push_back(part_of(block.records, first, input_.set));
    first += block.records.size();
  }
}

void warn_of_fragments(const GivenAlignments& given) {
  constexpr std::uint32_t kFragment = 5;  // sequences with fewer residues cause a warning
  const std::size_t rows = given.parts().front().members.size();
  for (std::size_t k = rows; k < given.set().size(); ++k) {
    const std::size_t x = given.set().from_input(k);
    if (given.set().length(x) >= kFragment) continue;
    log_warning(quote(given.set().name(x)) + " has only " +
                counted(given.set().length(x), "residue") +
                ", too few to show their place in the alignment");
  }
}

}  // namespace accord
