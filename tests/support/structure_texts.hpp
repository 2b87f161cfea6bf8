// SPDX-License-Identifier: Apache-2.0
// What the reader of structures makes of a text.
#pragma once
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/formats/formats.hpp"
#include "support/scratch.hpp"

namespace accord::testing {

/// Names and letters.
using Named = std::vector<std::pair<std::string, std::string>>;

/// The names and the letters of the records of a text, in a file in.pdb or in.cif.
inline Named read(const std::string& text, AlignmentFormat format = AlignmentFormat::pdb) {
  Named found;
  for (const SequenceRecord& record :
       parse_records(text, format, format == AlignmentFormat::pdb ? "in.pdb" : "in.cif")) {
    CHECK(record.track.size() == record.letters.size());
    found.emplace_back(record.name(), record.letters);
  }
  return found;
}

/// The error of a text, in a file `in`.
inline std::string complaint(const std::string& text,
                             AlignmentFormat format = AlignmentFormat::pdb) {
  try {
    parse_records(text, format, "in");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_input);
    CHECK_FALSE(error.hint().empty());
    return error.what();
  }
  return "no error";
}

/// The only warning, or what is wrong with their number.
inline std::string only(const WarningCatcher& caught) {
  const std::vector<std::string> all = caught.warnings();
  return all.size() == 1 ? all[0] : counted(all.size(), "warning");
}

}  // namespace accord::testing
