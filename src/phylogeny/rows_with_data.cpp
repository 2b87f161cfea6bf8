// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/rows_with_data.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_records.hpp"
#include "io/files/text_input.hpp"
#include "io/trees/newick.hpp"

namespace accord {
namespace {

/// [row]: a bit for each column, 64 in a word, set if the row has a known residue there.
using Columns = std::vector<std::vector<std::uint64_t>>;

Columns known_columns(const InputAlignment& aligned) {
  const ResidueType type = aligned.set.type();
  std::array<bool, 256> is_known{};
  for (std::size_t c = 0; c < is_known.size(); ++c) {
    const char letter = static_cast<char>(c);
    is_known[c] = is_sequence_letter(letter) &&
                  residues_of_code(type, encode_letter(type, letter)).size() < residue_count(type);
  }
  Columns columns;
  for (const SequenceRecord& row : aligned.rows) {
    std::vector<std::uint64_t>& words = columns.emplace_back(row.letters.size() / 64 + 1);
    for (std::size_t c = 0; c < row.letters.size(); ++c) {
      if (is_known[static_cast<unsigned char>(row.letters[c])]) {
        words[c / 64] |= std::uint64_t{1} << (c % 64);
      }
    }
  }
  return columns;
}

std::string name_of(const InputAlignment& aligned, std::size_t row) {
  return quote(aligned.set.name(aligned.set.from_input(row)));
}

/// Describes the rows that are not kept: "2 rows WHAT: "a", "b"".
std::string describe_left_out(const InputAlignment& aligned, const std::vector<bool>& kept,
                              const std::string& what) {
  constexpr std::size_t kShown = 3;
  std::size_t count = 0;
  std::string names;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k] || ++count > kShown) continue;
    names += (count > 1 ? ", " : "") + name_of(aligned, k);
  }
  return aligned.label + ": " + counted(count, "row") + " " + what + ": " + names +
         (count > kShown ? ", ..." : "");
}

void keep_rows(InputAlignment& aligned, const FamilySource& source, const std::vector<bool>& kept) {
  std::vector<SequenceRecord> rows;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k]) rows.push_back(std::move(aligned.rows[k]));
  }
  FamilySource same = source;
  same.type = aligned.set.type();
  same.shows_names = false;  // the first reading has shown them
  same.adjust_direction = same.suggests_direction = false;
  aligned.rows = std::move(rows);
  aligned.set = make_family(without_gaps(aligned.rows), same, aligned.label);
}

/// Warns of pairs of rows that share no column in which both have a known residue.
void warn_of_rows_without_overlap(const InputAlignment& aligned, const Columns& columns) {
  std::size_t pairs = 0;
  std::string first;
  for (std::size_t y = 1; y < columns.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      bool overlap = false;
      for (std::size_t w = 0; !overlap && w < columns[x].size(); ++w) {
        overlap = (columns[x][w] & columns[y][w]) != 0;
      }
      if (overlap || ++pairs > 1) continue;
      first = name_of(aligned, x) + " and " + name_of(aligned, y);
    }
  }
  if (pairs == 0) return;
  log_warning(aligned.label + ": " + counted(pairs, "pair of rows shares", "pairs of rows share") +
                  " no column in which both are known, such as " + first +
                  ": their place in the tree rests on other rows alone",
              "leave one of them out, or add columns that both have");
}

}  // namespace

void prune_rows(InputAlignment& aligned, const FamilySource& source, const std::string& tree,
                const std::string& label) {
  const std::vector<bool> has_leaf = sequences_with_leaf(tree, label, aligned.set);
  std::vector<bool> kept(aligned.rows.size());
  for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = has_leaf[aligned.set.from_input(k)];
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return;
  log_warning(describe_left_out(aligned, kept, "without a leaf in " + label + " left out"),
              "leave out {prune}, and this is an error");
  keep_rows(aligned, source, kept);
}

void check_rows(InputAlignment& aligned, const FamilySource& source, bool prunes) {
  Columns columns = known_columns(aligned);
  std::vector<bool> kept;
  for (const std::vector<std::uint64_t>& row : columns) {
    kept.push_back(std::any_of(row.begin(), row.end(), [](std::uint64_t word) { return word; }));
  }
  if (std::find(kept.begin(), kept.end(), false) != kept.end()) {
    if (!prunes) {
      throw Error(
          ErrorKind::bad_input,
          describe_left_out(aligned, kept, "without a known residue, which fit anywhere in a tree"),
          "{prune} leaves them out");
    }
    log_warning(describe_left_out(aligned, kept, "without a known residue left out"),
                "leave out {prune}, and this is an error");
    keep_rows(aligned, source, kept);
    std::erase_if(columns, [](const std::vector<std::uint64_t>& row) {
      return std::all_of(row.begin(), row.end(), [](std::uint64_t word) { return word == 0; });
    });
  }
  warn_of_rows_without_overlap(aligned, columns);
}

}  // namespace accord
