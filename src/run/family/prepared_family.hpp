// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/families/family_reader.hpp"
#include "method/large/family_plan.hpp"
#include "method/settings.hpp"

namespace accord {

/// A family with all that is decided before it is aligned.
struct PreparedFamily {
  FamilyInput input;
  AlignSettings settings;
  FamilyPlan plan;

  const SequenceSet& set() const { return input.set; }
};

/// The settings of a family: the options applied to the type of its sequences, with its tracks.
/// `has_confidence`: also computes the confidence.
/// Throws  as make_settings and use_tracks.
AlignSettings family_settings(const FamilyInput& input, const MethodOptions& method,
                              bool has_confidence);

/// Plans a family with given settings.
PreparedFamily prepare_family(FamilyInput input, AlignSettings settings);

/// Plans a family with its family_settings().
/// Throws  as family_settings.
PreparedFamily prepare_family(FamilyInput input, const MethodOptions& method, bool has_confidence);

}  // namespace accord
