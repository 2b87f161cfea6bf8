// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "accord/app/commands.hpp"
#include "accord/core/score.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/reference_alignment.hpp"

namespace accord {
namespace {

void run_score(const std::string& test_file, const std::string& reference_file) {
  const AlignedRows test = read_alignment(test_file);
  const AlignedRows reference = read_reference_alignment(reference_file);
  const Score score = score_alignment(test, reference);
  char line[160];
  std::snprintf(line, sizeof line, "%.6f\t%.6f\t%llu\t%llu\t%llu\t%llu\n", score.sum_of_pairs(),
                score.total_column(), static_cast<unsigned long long>(score.correct_pairs),
                static_cast<unsigned long long>(score.reference_pairs),
                static_cast<unsigned long long>(score.correct_columns),
                static_cast<unsigned long long>(score.reference_columns));
  write_output("-", std::string("SP\tTC\tpairs_correct\tpairs\tcolumns_correct\tcolumns\n") + line);
}

}  // namespace

Command score_command() {
  Command command{
      .name = "score",
      .arguments = "TEST REF",
      .summary = "compare an alignment with a reference",
      .description =
          "Prints SP and TC of TEST over the core columns of REF, and the counts behind\n"
          "them: upper-case columns of a FASTA file, all columns of an MSF file, or the\n"
          "core blocks of a BAliBASE XML file.\n",
      .least_files = 2,
      .most_files = 2};
  command.run = [](const std::vector<std::string>& files) { run_score(files[0], files[1]); };
  return command;
}

}  // namespace accord
