// SPDX-License-Identifier: Apache-2.0
#include "run/report/multiqc.hpp"

#include <cmath>
#include <cstddef>

#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/files/utf8.hpp"
#include "run/batch/batch_directory.hpp"

namespace accord {
namespace {

constexpr const char* kHead =
    "# id: 'accord'\n# section_name: 'accord'\n"
    "# description: 'multiple sequence alignments'\n# plot_type: 'table'\n"
    "Sample\tsequences\tcolumns\tmean_confidence\twall_s\tdevice";

}  // namespace

std::string format_multiqc(const AlignRun& run) {
  const std::optional<Confidence>& confidence = run.result.confidence;
  const std::string figures = formatted(
      "%zu\t%u\t%.4f\t%.3f\t", run.family.set().size(), run.result.msa.columns,
      confidence && confidence->pairs > 0 ? confidence->mean : 0.0, run.meter.cost().wall_seconds);
  const std::string input = run.family.input.source.files.empty()
                                ? run.family.input.label
                                : input_label(run.family.input.files.front().path);
  return std::string(kHead) + "\n" + printable(id_of_file(file_name(input))) + "\t" + figures +
         run.use.names + "\n";
}

std::string format_batch_multiqc(const std::vector<BatchFamily>& families,
                                 const std::vector<FamilyOutcome>& outcomes,
                                 const std::string& devices) {
  std::string text = std::string(kHead) + "\tstatus\n";
  for (std::size_t k = 0; k < families.size(); ++k) {
    const FamilyOutcome& outcome = outcomes[k];
    text += printable(families[k].id);
    if (outcome.status == FamilyStatus::aligned) {
      text +=
          formatted("\t%zu\t%zu\t%.4f\t%.3f\t", outcome.sequences, outcome.columns,
                    std::isnan(outcome.confidence) ? 0.0 : outcome.confidence, outcome.seconds) +
          devices;
    } else {
      text += "\t\t\t\t\t";
    }
    text += std::string("\t") + to_string(outcome.status) + "\n";
  }
  return text;
}

}  // namespace accord
