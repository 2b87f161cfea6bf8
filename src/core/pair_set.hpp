// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace accord {

/// A pair of sequences of a family, x < y in canonical order.
struct PairIndex {
  std::uint32_t x = 0;
  std::uint32_t y = 0;

  bool operator==(const PairIndex&) const = default;
};

/// A set of pairs of sequences of a family: which posteriors are wanted, or kept.
///
/// For each y there are the x < y that are paired with it, increasing. Pairs are numbered by y,
/// then by x: in the set of all pairs, (x, y) has the number y (y - 1) / 2 + x.
///
/// Cost    O(N) bytes for all pairs, those within a group and those between two groups; for a list
///         4 bytes per pair more.
class PairSet {
 public:
  /// No pairs, of no sequences.
  PairSet() = default;

  /// All pairs of a family.
  static PairSet all(std::size_t sequences);

  /// All pairs of the members of a group: a family within the family.
  /// Throws  Error{internal} if a member is not below `sequences`, or named twice.
  static PairSet within(std::size_t sequences, std::vector<std::uint32_t> members);

  /// Every member of a group with every member of another, such as those of two profiles, or added
  /// sequences and those that were there.
  /// Throws  Error{internal} if a member is not below `sequences`, or named twice.
  static PairSet between(std::size_t sequences, std::vector<std::uint32_t> group,
                         std::vector<std::uint32_t> other);

  /// The pairs of a list, in any order; a pair named again counts once.
  /// Throws  Error{internal} unless x < y < `sequences` for all of them.
  static PairSet listed(std::size_t sequences, std::vector<PairIndex> pairs);

  /// Sequences of the family, those in no pair included.
  std::size_t sequences() const noexcept { return first_.size() - 1; }
  /// The number of pairs.
  std::size_t size() const noexcept { return first_.back(); }
  /// Whether all pairs of the family are in the set.
  bool is_all() const noexcept { return is_all_; }

  /// The x < y that are paired with y, increasing. The y's of a group share one list, of which each
  /// takes the beginning.
  std::span<const std::uint32_t> partners(std::size_t y) const {
    return std::span(members_).subspan(list_begin_[y], first_[y + 1] - first_[y]);
  }
  /// Where the list of partners(y) begins in an array of all lists; the same for the y's that share
  /// a list. In [0, N] for sets that are not listed.
  std::size_t list(std::size_t y) const { return list_begin_[y]; }

  /// The number of the first pair with y, or, if it has none, of the first one of a later y.
  std::size_t first(std::size_t y) const { return first_[y]; }

  /// The pair with that number, below size().
  /// Cost    O(log N)
  PairIndex operator[](std::size_t number) const;

  /// The number of a pair; none if it is not in the set.
  /// Cost    O(1) in the set of all pairs, else O(log N).
  std::optional<std::size_t> find(std::size_t x, std::size_t y) const;

  /// The same for a pair, x < y, that is in the set.
  /// Throws  Error{internal} if it is not, which is not looked at in the set of all pairs.
  std::size_t number(std::size_t x, std::size_t y) const {
    return is_all_ ? y * (y - 1) / 2 + x : listed_number(x, y);
  }

 private:
  std::size_t listed_number(std::size_t x, std::size_t y) const;

  bool is_all_ = true;
  std::vector<std::uint32_t> members_;    // the lists, one behind the other
  std::vector<std::size_t> list_begin_;   // by y
  std::vector<std::size_t> first_ = {0};  // by y, and the number of pairs
};

}  // namespace accord
