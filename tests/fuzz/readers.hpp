// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace accord::testing {

/// What can be fuzzed: the reader of each format, "any" (told by the content), "newick",
/// "distances", "track" and "packed". Each has a directory of seeds in tests/fuzz/corpus.
std::vector<std::string> fuzzed_readers();

/// Gives any bytes to a reader. It must return what keeps its promises, or throw an
/// accord::Error of bad input with a message of one line; everything else is an abort().
void read_bytes(std::string_view reader, std::string_view bytes);

}  // namespace accord::testing
