// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/confidence.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "method/pipeline.hpp"

namespace accord {

/// The rows of the backbone of a large family, without the columns in which none of them has a
/// residue: what a page can show of an alignment of a hundred thousand sequences.
struct BackboneView {
  SequenceSet set;
  Msa msa;
  Confidence confidence;  ///< as it is in the whole alignment
};

/// `result` has a backbone and a confidence.
BackboneView backbone_view(const SequenceSet& set, const AlignResult& result);

}  // namespace accord
