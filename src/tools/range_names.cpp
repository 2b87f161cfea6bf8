// SPDX-License-Identifier: Apache-2.0
#include "tools/range_names.hpp"

#include <charconv>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "core/msa.hpp"
#include "io/files/text_input.hpp"
#include "tools/columns.hpp"

namespace accord {
namespace {

/// The numbers at the end of a name: those of the first and the last residue.
struct NameRange {
  std::size_t name_bytes;  ///< length of the name before the numbers, including the slash
  std::uint64_t first, last;

  std::uint64_t residues() const { return (first < last ? last - first : first - last) + 1; }
};

std::optional<NameRange> range_of(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  if (slash == name.npos) return std::nullopt;
  NameRange range{slash + 1, 0, 0};
  const char* const end = name.data() + name.size();
  const auto first = std::from_chars(name.data() + slash + 1, end, range.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto last = std::from_chars(first.ptr + 1, end, range.last);
  if (last.ec != std::errc() || last.ptr != end) return std::nullopt;
  return range;
}

}  // namespace

std::vector<KeptResidues> kept_residues(const GappedRows& rows, const std::vector<bool>& kept) {
  std::vector<KeptResidues> all;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::span<const std::uint32_t> columns = rows.column_of(r);
    KeptResidues& residues = all.emplace_back(KeptResidues{columns.size()});
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!kept[columns[i]]) continue;
      if (!residues.first) residues.first = i;
      residues.last = i;
    }
  }
  return all;
}

std::optional<std::size_t> counted_by_name(std::string_view name) {
  const std::optional<NameRange> range = range_of(name);
  return range ? std::optional<std::size_t>(range->residues()) : std::nullopt;
}

bool renumber(SequenceRecord& record, const KeptResidues& kept) {
  const std::string name(record.name());
  const std::optional<NameRange> range = range_of(name);
  if (!range || !kept.first || (*kept.first == 0 && kept.last + 1 == kept.count)) return true;
  if (range->residues() != kept.count) return false;
  const bool falls = range->first > range->last;
  const auto number = [&](std::size_t i) {
    return std::to_string(falls ? range->first - i : range->first + i);
  };
  const std::string renamed =
      name.substr(0, range->name_bytes) + number(*kept.first) + "-" + number(kept.last);
  record.header.replace(record.header.find(name), name.size(), renamed);
  if (record.name_bytes) record.name_bytes = renamed.size();
  return true;
}

void warn_of_names_not_renumbered(const std::vector<std::string>& names, const std::string& hint) {
  if (names.empty()) return;
  log_warning(counted(names.size(), "name is", "names are") +
                  " kept though the numbers do not count the residues of the row, such as " +
                  quote(names.front()),
              hint);
}

void renumber_rows(AlignmentText& text, const SequenceSet& set,
                   const std::vector<KeptResidues>& kept, const std::string& hint) {
  std::vector<std::string> not_renumbered;
  std::vector<SequenceRecord> records;
  bool is_changed = false;
  for (std::size_t r = 0; r < kept.size(); ++r) {
    const SequenceRecord& before = set.record(set.from_input(r));
    SequenceRecord& record = records.emplace_back(before);
    if (!renumber(record, kept[r])) not_renumbered.emplace_back(before.name());
    is_changed = is_changed || record.header != before.header;
    record.letters = std::as_const(text.rows).residues(r);
  }
  warn_of_names_not_renumbered(not_renumbered, hint);
  if (!is_changed) return;
  const SequenceSet renamed(std::move(records), set.type());
  Msa msa{static_cast<std::uint32_t>(text.columns), {}};
  msa.column_of.resize(kept.size());
  for (std::size_t r = 0; r < kept.size(); ++r) {
    const std::span<const std::uint32_t> columns = text.rows.column_of(r);
    msa.column_of[renamed.from_input(r)].assign(columns.begin(), columns.end());
  }
  AlignmentText other = make_alignment_text(renamed, msa);
  std::unordered_map<std::string_view, std::string_view> names;
  for (std::size_t r = 0; r < kept.size(); ++r) names.emplace(text.names[r], other.names[r]);
  const auto rename = [&](auto& lines) {
    for (auto& line : lines) {
      const auto at = names.find(line.name);
      if (at != names.end()) line.name = at->second;
    }
  };
  rename(text.markup.of_sequences);
  rename(text.markup.of_residues);
  text.headers = std::move(other.headers);
  text.names = std::move(other.names);
  text.whole_names = std::move(other.whole_names);
}

void warn_of_empty_rows(const std::vector<std::string>& names,
                        const std::vector<KeptResidues>& kept, const std::string& hint) {
  std::size_t count = 0, first = 0;
  for (std::size_t r = 0; r < kept.size(); ++r) {
    if (!kept[r].first && ++count == 1) first = r;
  }
  if (count == 0) return;
  log_warning(
      counted(count, "row has", "rows have") + " no residue left, such as " + quote(names[first]),
      hint);
}

void keep_numbered_columns(AlignmentText& text, const SequenceSet& set,
                           const std::vector<bool>& kept) {
  const std::vector<KeptResidues> residues = kept_residues(text.rows, kept);
  keep_columns(text, kept);
  renumber_rows(text, set, residues);
  warn_of_empty_rows(text.names, residues);
}

}  // namespace accord
