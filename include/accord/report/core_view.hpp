// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "accord/core/confidence.hpp"
#include "accord/core/msa.hpp"
#include "accord/core/sequence_set.hpp"
#include "accord/method/pipeline.hpp"

namespace accord {

/// The rows of the core of a large family, without the columns in which none of them has a residue:
/// what a page can show of an alignment of a hundred thousand sequences.
struct CoreView {
  SequenceSet set;
  Msa msa;
  Confidence confidence;  ///< as it is in the whole alignment
};

/// `result` has a core and a confidence.
CoreView core_view(const SequenceSet& set, const AlignResult& result);

}  // namespace accord
