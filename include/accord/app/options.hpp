// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "accord/app/pipeline.hpp"
#include "accord/base/log.hpp"
#include "accord/core/alphabet.hpp"
#include "accord/io/msa_writer.hpp"

namespace accord {

/// What the command line asks for.
enum class Command { align, devices, score, help, version };

/// A parsed command line.
struct Options {
  Command command = Command::align;
  // align
  std::string input;
  std::string output = "-";  ///< "-" is stdout
  AlignmentFormat format = AlignmentFormat::fasta;
  std::optional<ResidueType> type;  ///< detected if not set
  std::string mode = "default";
  std::string device = "auto";
  int threads = 0;  ///< 0: all processors this process may use
  TreeMethod tree = TreeMethod::upgma;
  std::string tree_file;
  std::string tree_out;    ///< empty: not written
  std::string dist_out;    ///< empty: not written
  std::string report;      ///< empty: not written
  std::optional<int> consistency;
  std::optional<int> refine;
  Verbosity verbosity = Verbosity::normal;
  // score
  std::string test;
  std::string reference;

  std::string help;  ///< text of --help
};

/// Parses the arguments after the program name.
/// Errors  Error{usage} with a hint.
Options parse_options(const std::vector<std::string>& arguments);

}  // namespace accord
