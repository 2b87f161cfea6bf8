// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "accord/app/commands.hpp"
#include "accord/core/score.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/reference_alignment.hpp"

namespace accord {

void run_score(const Options& options) {
  const AlignedRows test = read_alignment(options.test);
  const AlignedRows reference = read_reference_alignment(options.reference);
  const Score score = score_alignment(test, reference);
  char line[160];
  std::snprintf(line, sizeof line, "%.6f\t%.6f\t%llu\t%llu\t%llu\t%llu\n", score.sum_of_pairs(),
                score.total_column(), static_cast<unsigned long long>(score.correct_pairs),
                static_cast<unsigned long long>(score.reference_pairs),
                static_cast<unsigned long long>(score.correct_columns),
                static_cast<unsigned long long>(score.reference_columns));
  write_output("-", std::string("SP\tTC\tpairs_correct\tpairs\tcolumns_correct\tcolumns\n") + line);
}

}  // namespace accord
