// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "io/families/sequence_reader.hpp"
#include "io/files/text_input.hpp"

namespace accord::testing {

/// The sequences of a file ("-" for standard input).
inline std::vector<SequenceRecord> read_sequences(const std::string& path) {
  return sequences_of(read_text(path), input_label(path));
}

}  // namespace accord::testing
