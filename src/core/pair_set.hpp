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

/// A set of pairs of sequences of a family: those whose posteriors are computed or stored.
/// For each y, the set lists the x < y that are paired with y, increasing. Pairs are numbered by y,
/// then by x: in the set of all pairs, (x, y) has the number y (y - 1) / 2 + x.
/// Cost    O(N) bytes for all pairs, pairs within a group and pairs between two groups; a listed
///         set takes 4 more bytes per pair.
class PairSet {
 public:
  /// The empty set, of a family without sequences.
  PairSet() = default;

  /// All pairs of a family.
  static PairSet all(std::size_t sequences);

  /// All pairs of the members of one group of the family.
  /// Throws  Error{internal} if a member is not below `sequences`, or occurs twice.
  static PairSet within(std::size_t sequences, std::vector<std::uint32_t> members);

  /// Every member of one group with every member of another, such as two profiles, or the added and
  /// the existing sequences.
  /// Throws  Error{internal} if a member is not below `sequences`, or occurs twice.
  static PairSet between(std::size_t sequences, std::vector<std::uint32_t> group,
                         std::vector<std::uint32_t> other);

  /// The listed pairs, in any order; repeated pairs count once.
  /// Throws  Error{internal} unless x < y < `sequences` for all of them.
  static PairSet listed(std::size_t sequences, std::vector<PairIndex> pairs);

  /// The number of sequences of the family, including those without a pair.
  std::size_t sequences() const noexcept { return first_.size() - 1; }
  /// The number of pairs.
  std::size_t size() const noexcept { return first_.back(); }
  /// Whether the set holds all pairs of the family.
  bool is_all() const noexcept { return is_all_; }

  /// The x < y that are paired with y, increasing. All y of a group share one list in memory; each
  /// y takes a prefix of it.
  std::span<const std::uint32_t> partners(std::size_t y) const {
    return std::span(members_).subspan(list_begin_[y], first_[y + 1] - first_[y]);
  }
  /// The offset of partners(y) in the array in which the set keeps all lists. Two y that share a
  /// list have the same offset, by which a caller can recognise them. Except in listed sets, the
  /// offset is in [0, N].
  std::size_t list(std::size_t y) const { return list_begin_[y]; }

  /// The number of the first pair (x, y), or, if there is none, of the first pair with a larger y.
  std::size_t first(std::size_t y) const { return first_[y]; }

  /// The pair with this number; `number` is below size().
  /// Cost    O(log N)
  PairIndex operator[](std::size_t number) const;

  /// The number of the pair (x, y); none if it is not in the set.
  /// Cost    O(1) in the set of all pairs, else O(log N).
  std::optional<std::size_t> find(std::size_t x, std::size_t y) const;

  /// The number of the pair (x, y), x < y, which must be in the set.
  /// Throws  Error{internal} if it is not. The set of all pairs does not check this.
  std::size_t number(std::size_t x, std::size_t y) const {
    return is_all_ ? y * (y - 1) / 2 + x : listed_number(x, y);
  }

 private:
  std::size_t listed_number(std::size_t x, std::size_t y) const;

  bool is_all_ = true;
  std::vector<std::uint32_t> members_;    // all lists, one behind the other
  std::vector<std::size_t> list_begin_;   // by y
  std::vector<std::size_t> first_ = {0};  // by y, and the number of pairs
};

}  // namespace accord
