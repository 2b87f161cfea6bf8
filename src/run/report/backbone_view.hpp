// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/confidence.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "method/pipeline.hpp"

namespace accord {

/// The rows of the backbone of a large family, without the columns that are empty in these rows. A
/// page shows them in place of an alignment that is too large.
struct BackboneView {
  SequenceSet set;
  Msa msa;
  Confidence confidence;  ///< values of these rows and columns, computed in the whole alignment
};

/// The backbone rows of an alignment. `result` must have a backbone and a confidence.
BackboneView backbone_view(const SequenceSet& set, const AlignResult& result);

}  // namespace accord
