// SPDX-License-Identifier: Apache-2.0
// The keys of a parameter file: one table for the reader and for the help.
#pragma once
#include <array>
#include <span>
#include <utility>

#include "models/parameters.hpp"

namespace accord {

/// A number in a section of the file.
struct NumberField {
  const char* section;
  const char* key;
  double least, most;                                  // smallest and largest allowed value
  bool is_whole;                                       // whether the value must be a whole number
  void (*keep)(Parameters& parameters, double value);  // stores the value in the parameters
  const char* meaning;                                 // text for the help
};
/// All numbers outside of gap classes, section by section.
std::span<const NumberField> number_fields();

/// A number of a gap class; pair_hmm.gap_classes is a list of one to ACCORD_GAP_CLASSES objects
/// with these keys.
struct GapField {
  const char* key;
  double least, most;       // smallest and largest allowed value
  double GapClass::*place;  // the member that keeps the value
  const char* meaning;      // text for the help
};
/// All numbers of a gap class.
extern const std::array<GapField, 3> kGapFields;

/// The sections in their order, each with its name and meaning.
extern const std::array<std::pair<const char*, const char*>, 8> kSections;

}  // namespace accord
