// SPDX-License-Identifier: Apache-2.0
#include "run/report/ensemble_report.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

/// The mean confidence of the columns of a replicate in the ensemble; 0 without columns.
double mean_column_confidence(const Ensemble& ensemble, std::size_t replicate) {
  const std::vector<float>& confidence = ensemble.agreement.column_confidence[replicate];
  double sum = 0;
  for (const float value : confidence) sum += static_cast<double>(value);
  return confidence.empty() ? 0 : sum / static_cast<double>(confidence.size());
}

Json ensemble_json(const Ensemble& ensemble) {
  const EnsembleAgreement& agreement = ensemble.agreement;
  Json replicates = Json::array();
  for (std::size_t r = 0; r < ensemble.replicates.size(); ++r) {
    const Replicate& replicate = ensemble.replicates[r];
    replicates.push_back({{"name", replicate.name()},
                          {"columns", replicate.aligned.msa.columns},
                          {"agreement", agreement.agreement[r]},
                          {"column_confidence", mean_column_confidence(ensemble, r)},
                          {"gap_open", replicate.factors.gap_open},
                          {"gap_extend", replicate.factors.gap_extend},
                          {"sharpness", replicate.factors.sharpness}});
  }
  return {{"seed", ensemble.options.seed},
          {"dispersion", agreement.dispersion},
          {"best", ensemble.replicates[agreement.best].name()},
          {"replicates", std::move(replicates)}};
}

}  // namespace

std::string format_replicates(const Ensemble& ensemble) {
  std::string table =
      "replicate\tcolumns\tagreement\tcolumn_confidence\tbest\tgap_open\tgap_extend\tsharpness\n";
  for (std::size_t r = 0; r < ensemble.replicates.size(); ++r) {
    const Replicate& replicate = ensemble.replicates[r];
    const ParameterFactors& factors = replicate.factors;
    table += replicate.name() +
             formatted("\t%u\t%.6f\t%.6f\t%s\t%.6f\t%.6f\t%.6f\n", replicate.aligned.msa.columns,
                       ensemble.agreement.agreement[r], mean_column_confidence(ensemble, r),
                       r == ensemble.agreement.best ? "yes" : "no", factors.gap_open,
                       factors.gap_extend, factors.sharpness);
  }
  return table;
}

void write_column_confidence(const Ensemble& ensemble, TextSink& out) {
  out << "replicate\tcolumn\tresidues\tconfidence\n";
  for (std::size_t r = 0; r < ensemble.replicates.size(); ++r) {
    const Msa& msa = ensemble.replicates[r].aligned.msa;
    std::vector<std::uint32_t> residues(msa.columns, 0);
    for (const std::vector<std::uint32_t>& row : msa.column_of) {
      for (const std::uint32_t c : row) ++residues[c];
    }
    const std::string name = ensemble.replicates[r].name();
    for (std::uint32_t c = 0; c < msa.columns; ++c) {
      out << name
          << formatted("\t%u\t%u\t%.4f\n", c + 1, residues[c],
                       static_cast<double>(ensemble.agreement.column_confidence[r][c]));
    }
  }
}

std::string format_report(const AlignRun& run, const Ensemble& ensemble, const ResultRows& rows,
                          const std::vector<WrittenFile>& files) {
  Json report = Json::parse(format_report(run, rows, files));
  report["ensemble"] = ensemble_json(ensemble);
  return report.dump(2) + "\n";
}

}  // namespace accord
