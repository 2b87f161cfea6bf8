// SPDX-License-Identifier: Apache-2.0
#include "io/given_alignments.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "io/aligned_records.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// All records, with the file that each comes from.
struct Records {
  std::vector<SequenceRecord> all;
  std::vector<std::string> labels;  // by record

  void add(std::vector<SequenceRecord> records, const std::string& label) {
    for (SequenceRecord& record : records) {
      all.push_back(std::move(record));
      labels.push_back(label);
    }
  }
};

/// `name(k)` is the name of record k, which is of the file labels[k].
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

/// A block of rows, the first of which is record `first`, as a part of the family.
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
    std::string bytes = read_bytes(path);
    input_.files.push_back({path, bytes.size(), with_checksums ? sha256(bytes) : ""});
    return unpacked(std::move(bytes), label);
  };
  Records records;
  std::vector<std::vector<SequenceRecord>> blocks;
  for (const std::string& path : alignments) {
    const std::string label = input_label(path);
    const std::string text = text_of(path, label);
    blocks.push_back(aligned_records_of(text, label, source.reading));
    notes_.push_back(notes_of(text, label, source.reading, blocks.back()));
    records.add(without_gaps(blocks.back()), label);
  }
  for (const std::string& path : sequences) {
    const std::string label = input_label(path);
    const std::string text = text_of(path, label);
    std::vector<SequenceRecord> added = records_of(text, label, source.reading);
    warn_of_dropped_notes(text, label, source.reading, added);
    remove_gaps(added, label, source.reading);
    records.add(std::move(added), label);
  }
  check_names(records.labels, [&](std::size_t k) { return records.all[k].name(); });
  input_.label = family_label(source);
  input_.source = source;
  std::size_t rows = 0;
  for (const std::vector<SequenceRecord>& block : blocks) rows += block.size();
  input_.set = make_family(std::move(records.all), source, input_.label, rows);
  if (source.adjust_direction) {  // which gives other names
    check_names(records.labels, [&](std::size_t k) { return set().name(set().from_input(k)); });
  }
  check_size(input_.set, source, input_.label);
  std::size_t first = 0;
  for (const std::vector<SequenceRecord>& block : blocks) {
    parts_.push_back(part_of(block, first, input_.set));
    first += block.size();
  }
}

}  // namespace accord
