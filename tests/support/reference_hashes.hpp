// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "support/sequences.hpp"

namespace accord::testing {

/// Cutoffs of ReferencePair::kept.
inline constexpr float kReferenceCutoffs[2] = {0.01f, 1e-5f};

/// A pair of sequences and hashes (posterior_hash) of its posterior matrices, found by an
/// independent implementation of the scaled single-precision recursions with Gonnet160.
struct ReferencePair {
  Codes x, y;
  std::uint64_t hmm;        ///< pair-HMM, all cells above 2^-40
  std::uint64_t partition;  ///< partition function, all cells above 2^-40
  std::uint64_t combined;   ///< root mean square of the two
  std::uint64_t kept[2];    ///< the same with cells below kReferenceCutoffs set to 0
};

/// Six pairs of 120 to 570 residues, 20 % to 70 % of them kept.
inline std::vector<ReferencePair> reference_hash_inputs() {
  std::vector<ReferencePair> pairs = {
      {{},
       {},
       0x345a68fd58ce617f,
       0x3cb66c2862fca64c,
       0x00db117bb1c97461,
       {0x24cd1f4c7bfec949, 0x36eff8f309d7c799}},
      {{},
       {},
       0xdfab0ce8a69fef72,
       0x4f6b75338388db7b,
       0xe663ca723563fd28,
       {0x28278f5e5378d3b1, 0x7003953c8a5d9af7}},
      {{},
       {},
       0x96f1281a32807c3a,
       0x2ae9689984f1ca1c,
       0x1990dd2ffdcc7b8e,
       {0x50fc1ad04fb9ea15, 0x40d53fcb5d974944}},
      {{},
       {},
       0x851fdd708055449f,
       0x8076d976622fb775,
       0x3462f3445d45d2b7,
       {0x4b401f8fe252e526, 0xd880215b8a0090ab}},
      {{},
       {},
       0x25debf547624d9df,
       0x313ab926693618db,
       0x507d70bfd497df24,
       {0x938715bde03fab6c, 0x64e4b70456c7260d}},
      {{},
       {},
       0x154819cec339a345,
       0x1b5f13315bc6118a,
       0x75fd3dc2c305a283,
       {0xe1c738d71d997a5d, 0x407e3c030698c79a}},
  };
  SequenceGenerator random(kReferenceSeed);
  for (std::size_t t = 0; t < pairs.size(); ++t) {
    pairs[t].x = random.background(120 + 90 * t);
    pairs[t].y = random.mutate(pairs[t].x, 0.2 + 0.1 * static_cast<double>(t), 0.01, 0.1);
  }
  return pairs;
}

/// Hash of the bits of a dense matrix, row by row, border row and column (zeros) included.
inline std::uint64_t posterior_hash(std::span<const float> matrix) {
  std::uint64_t hash = 1469598103934665603u;
  for (float value : matrix) hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 1099511628211u;
  return hash;
}

}  // namespace accord::testing
