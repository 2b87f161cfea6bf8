// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "support/scratch.hpp"

namespace accord::testing {

/// What a run of a program left behind.
struct Outcome {
  int exit_code;  ///< 128 + number if a signal ended it
  std::string out, err;
  std::size_t peak_bytes = 0;  ///< most memory of a process of the run
};

/// The built program, run as a user runs it, in a temporary directory of its own.
class Program {
 public:
  /// Runs accord with these arguments; standard input is the file `input`.
  Outcome run(const std::vector<std::string>& arguments,
              const std::string& input = "/dev/null") const;

  /// Runs a bash script in which $accord is the program; it is ended after five minutes.
  Outcome shell(const std::string& script) const;

  /// The directory in which the program runs.
  const ScratchDirectory& directory() const { return work_; }

 private:
  Outcome spawn(const std::vector<std::string>& command, const std::string& input) const;

  ScratchDirectory work_;
  ScratchDirectory capture_;  ///< what the program prints
};

/// Whether a text has a part.
bool has(const std::string& text, const std::string& part);

/// Checks that a run was refused: with this exit code, nothing on standard output, and a line with
/// `part` in it, and a hint, on standard error.
void check_refused(const Outcome& outcome, int code, const std::string& part);

/// The path of the shipped example family.
std::string example_path();

/// A FASTA text of unrelated random proteins, always the same. Long ones take many seconds to
/// align.
std::string random_fasta(std::size_t sequences, std::size_t length);

/// Header and letters of the records of a FASTA text, gaps included.
using FastaRows = std::vector<std::pair<std::string, std::string>>;
FastaRows parse_rows(const std::string& fasta);

/// The rows without '-'.
FastaRows degapped(FastaRows rows);

/// True if all rows have one length and no column is nothing but gaps.
bool is_alignment(const FastaRows& rows);

}  // namespace accord::testing
