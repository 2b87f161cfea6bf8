// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

namespace accord {

/// The work that goes into a large family (see backbone_size), and into adding sequences to more
/// than kAddingNearest rows.
enum class Effort { normal, high, max };

/// "normal", "high" or "max".
const char* to_string(Effort effort);
/// The effort that a word names.
/// Throws  Error{internal} for any other word.
Effort effort_of(const std::string& word);

/// The numbers that an effort stands for, by default those of Effort::normal. The default was
/// chosen on 33 families of HomFam, QuanTest2, Balifam 1000 and Balifam 10000, the other efforts on
/// 78 training families of these sets (docs/lab/2026-11/large.md has both tables).
struct LargeEffort {
  /// Sequences of the backbone; fewer if sequences are long (see backbone_size).
  std::size_t backbone = 100;
  /// A sequence is first placed by this number of nearest members of the backbone.
  std::size_t first_members = 12;
  /// A sequence is placed again, by this number of nearest members, if its accuracy
  /// (PlacedSequence) is below `sure_accuracy`.
  std::size_t most_members = 48;
  float sure_accuracy = 0.6f;  ///< a share, in [0, 1]
};

/// The numbers of an effort.
LargeEffort large_effort(Effort effort);

}  // namespace accord
