// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/confidence.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "method/align_result.hpp"

namespace accord {

/// The rows of the backbone of a large family, without the columns that are empty in these rows. A
/// page shows them in place of an alignment that is too large.
struct BackboneView {
  SequenceSet set;  ///< the sequences of the backbone
  Msa msa;          ///< the rows of `set`
  /// The values of these rows and columns, computed in the whole alignment. The mean and the number
  /// of pairs are those of the whole alignment.
  Confidence confidence;
};

/// The backbone rows of `result`, the alignment of `set`. `result` must have a backbone and a
/// confidence.
BackboneView backbone_view(const SequenceSet& set, const AlignResult& result);

}  // namespace accord
