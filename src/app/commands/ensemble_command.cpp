// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/ensemble_options.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "base/timer.hpp"
#include "io/files/output_file.hpp"
#include "method/track_weight.hpp"
#include "run/alignment_stages.hpp"
#include "run/ensemble_run.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {
namespace {

/// The folder of the replicates, which is made if it does not exist. A new folder that is still
/// empty at the end of the run, which then has failed, is removed.
class ReplicateFolder {
 public:
  /// Throws  as make_directory.
  explicit ReplicateFolder(const std::string& path) : path_(path), is_new_(!path_exists(path)) {
    make_directory(path);
  }
  ~ReplicateFolder() {
    if (is_new_) remove_path(path_);
  }
  ReplicateFolder(const ReplicateFolder&) = delete;
  ReplicateFolder& operator=(const ReplicateFolder&) = delete;

 private:
  std::string path_;
  bool is_new_;
};

void log_agreement(const Ensemble& ensemble) {
  log_verbose("ensemble     " + counted(ensemble.replicates.size(), "replicate") +
              formatted(", dispersion %.4f, best ", ensemble.agreement.dispersion) +
              ensemble.replicates[ensemble.agreement.best].name());
}

void run_ensemble(const EnsembleCommandOptions& options) {
  const CostMeter meter(memory_budget(options.compute));
  const EnsembleFiles files = ensemble_files(options);
  const std::vector<std::string> inputs = input_files(options, options.method);
  std::optional<ReplicateFolder> folder;
  if (files.form == EnsembleForm::folder) folder.emplace(files.path);
  start_run(options, inputs, paths_of(files), {files.report, "ensemble"});
  RunDevices devices =
      open_devices(options, first_stages(options.method),
                   input_work(options.input) *
                       static_cast<double>(run::parameter_sets(options.ensemble.replicates)));
  const Timer reading;
  FamilyInput input = read_family(options.input, needs_checksums(files), FamilyUse::alignment);
  const double read_seconds = reading.seconds();
  const PreparedFamily family =
      prepare_family(std::move(input), options.method, shows_confidence(files.format));
  log_run(family, devices, read_seconds);
  const Ensemble ensemble = with_progress(options, devices, [&](const RunContext& context) {
    return run::ensemble(family, options.ensemble, context);
  });
  const DeviceUse use = devices.use();
  const AlignResult& first = ensemble.replicates.front().aligned;
  log_facts(first.facts);
  log_agreement(ensemble);
  if (files.form == EnsembleForm::folder) {
    std::vector<std::string> outputs = paths_of(files);
    outputs.push_back(options.messages.log);
    std::ranges::copy(paths_in_folder(files, ensemble), std::back_inserter(outputs));
    check_apart(outputs, inputs);
  }
  write_files(AlignRun{family, first, use, meter, "ensemble"}, ensemble, files);
  log_cost(meter.cost());
}

}  // namespace

Command ensemble_command() {
  const auto options = std::make_shared<EnsembleCommandOptions>();
  Command command{
      .name = "ensemble",
      .arguments = "IN...",
      .summary = "alternative alignments of the sequences of IN",
      .description =
          "Aligns the sequences of IN several times: with parameters of the models that differ by "
          "random factors, and along guide trees of distances with random noise. A result that "
          "most of these replicates lead to does not hang on one uncertain alignment. The first "
          "replicate, p0.t0, is that of 'accord align'; p3.t2 has the parameters 3 and the tree 2. "
          "The same seed gives the same replicates on every machine.\n"
          "\n"
          "The replicates are written as Ensemble FASTA (EFA), as MUSCLE 5 reads it: a line "
          "'<p0.t0' before each aligned FASTA. -o DIR/ writes a file for each replicate, "
          "--concatenate one alignment with the columns of all replicates.\n"
          "\n"
          "The confidence of a column in the ensemble is the share of the replicates that have a "
          "column of the same residues (--columns-out). The dispersion is 1 - the median agreement "
          "of two replicates, which is the share of aligned pairs of residues that both have "
          "(--report, -v). --replicates-out says which replicate agrees best with the others. "
          "--html shows the replicates, and where they differ.\n"
          "\n"
          "16 replicates take about five times as long as one alignment; those of a large family "
          "(more than 700 sequences) 16 times as long.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_track_options(command.options, options->input);
  add_ensemble_options(command.options, *options);
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_ensemble);
  return command;
}

}  // namespace accord
