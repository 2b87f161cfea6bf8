// SPDX-License-Identifier: Apache-2.0
#include "method/large/insertions.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/cpu_budget.hpp"
#include "base/parallel.hpp"

namespace accord {
namespace {

constexpr std::uint32_t kUnaligned = 2;  // segments of at most this length are put side by side

/// Consecutive inserted residues of a placed sequence.
struct Segment {
  std::uint32_t placed;  ///< index among the placed sequences
  std::uint32_t first, count;
};

/// For each column, the segments inserted before it; the last element has those behind the last
/// column.
std::vector<std::vector<Segment>> segments_by_place(std::span<const PlacedSequence> placed,
                                                    std::uint32_t columns) {
  std::vector<std::vector<Segment>> segments(std::size_t{columns} + 1);
  for (std::uint32_t k = 0; k < placed.size(); ++k) {
    const std::vector<std::uint32_t>& column = placed[k].column;
    const auto length = static_cast<std::uint32_t>(column.size());
    for (std::uint32_t i = 0; i < length; ++i) {
      if (column[i] != kInserted) continue;
      const std::uint32_t first = i;
      while (i + 1 < length && column[i + 1] == kInserted) ++i;
      const std::uint32_t place = first > 0        ? column[first - 1] + 1
                                  : i + 1 < length ? column[i + 1]
                                                   : 0;
      segments[place].push_back({k, first, i + 1 - first});
    }
  }
  return segments;
}

/// The letters of a segment, in upper case.
std::string letters_of(const SequenceSet& set, std::uint32_t sequence, const Segment& segment) {
  std::string letters = set.letters(sequence).substr(segment.first, segment.count);
  for (char& c : letters) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return letters;
}

/// The segments inserted at one place, as a family and its alignment.
class AlignedSegments {
 public:
  AlignedSegments() = default;
  /// Puts the segments side by side, which aligns them unless is_to_align().
  AlignedSegments(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                  std::span<const Segment> segments) {
    std::map<std::string, std::size_t> record_of;
    for (const Segment& segment : segments) {
      std::string letters = letters_of(set, sequences[segment.placed], segment);
      record_.push_back(record_of.try_emplace(std::move(letters), record_of.size()).first->second);
    }
    std::vector<SequenceRecord> records(record_of.size());
    for (const auto& [letters, record] : record_of) records[record].letters = letters;
    family_ = SequenceSet(std::move(records), set.type());
    msa_ = side_by_side(family_);
  }

  bool is_to_align() const { return family_.size() > 1 && family_.length(0) > kUnaligned; }
  void align(const SegmentAligner& aligner) { msa_ = aligner(family_); }
  std::uint32_t columns() const { return msa_.columns; }
  /// The columns of the residues of segment s.
  std::span<const std::uint32_t> columns_of(std::size_t s) const {
    return msa_.column_of[family_.from_input(record_[s])];
  }

 private:
  std::vector<std::size_t> record_;  // [segment]: its record in family_
  SequenceSet family_;
  Msa msa_;
};

}  // namespace

Msa side_by_side(const SequenceSet& segments) {
  Msa msa;
  msa.columns = segments.size() > 0 ? segments.length(0) : 0;  // the longest segment comes first
  for (const std::uint32_t length : segments.lengths()) {
    std::vector<std::uint32_t>& row = msa.column_of.emplace_back(length);
    std::iota(row.begin(), row.end(), 0u);
  }
  return msa;
}

Placed with_insertions(const SequenceSet& set, const AlignedPart& part,
                       std::span<const std::uint32_t> sequences,
                       std::span<const PlacedSequence> placed, const SegmentAligner& align,
                       CpuBudget& cpus, const std::function<void()>& on_place) {
  Placed result;
  Msa& msa = result.msa;
  msa.column_of.resize(set.size());
  for (std::size_t k = 0; k < placed.size(); ++k) {
    msa.column_of[sequences[k]].resize(placed[k].column.size());
  }
  const auto segments = segments_by_place(placed, part.msa.columns);
  std::vector<AlignedSegments> aligned(segments.size());
  parallel_for(segments.size(), [&](std::size_t place, int) {
    if (!segments[place].empty()) aligned[place] = {set, sequences, segments[place]};
    if (on_place && !aligned[place].is_to_align()) on_place();
  });
  std::vector<AlignedSegments*> to_align;
  for (AlignedSegments& at_place : aligned) {
    if (at_place.is_to_align()) to_align.push_back(&at_place);
  }
  parallel_with_leases(cpus, to_align.size(), [&](std::size_t k) {
    to_align[k]->align(align);
    if (on_place) on_place();
  });
  std::vector<std::uint32_t>& moved = result.column_of_part;
  moved.resize(part.msa.columns);
  for (std::uint32_t place = 0; place <= part.msa.columns; ++place) {
    for (std::size_t s = 0; s < segments[place].size(); ++s) {
      const Segment& segment = segments[place][s];
      std::vector<std::uint32_t>& row = msa.column_of[sequences[segment.placed]];
      const std::span<const std::uint32_t> columns = aligned[place].columns_of(s);
      for (std::uint32_t i = 0; i < segment.count; ++i) {
        row[segment.first + i] = msa.columns + columns[i];
      }
    }
    msa.columns += aligned[place].columns();
    if (place < part.msa.columns) moved[place] = msa.columns++;
  }
  for (std::size_t m = 0; m < part.members.size(); ++m) {
    std::vector<std::uint32_t>& row = msa.column_of[part.members[m]];
    for (const std::uint32_t column : part.msa.column_of[m]) row.push_back(moved[column]);
  }
  for (std::size_t k = 0; k < placed.size(); ++k) {
    for (std::size_t i = 0; i < placed[k].column.size(); ++i) {
      if (placed[k].column[i] == kInserted) continue;
      msa.column_of[sequences[k]][i] = moved[placed[k].column[i]];
    }
  }
  return result;
}

}  // namespace accord
