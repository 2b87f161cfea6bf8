// SPDX-License-Identifier: Apache-2.0
#include "accord/cli/run_setup.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/base/log.hpp"
#include "accord/base/parallel.hpp"
#include "accord/cli/process_guard.hpp"
#include "accord/io/fasta.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/sequence_reader.hpp"
#include "accord/io/sha256.hpp"
#include "accord/io/text_input.hpp"
#include "accord/method/estimate.hpp"

namespace accord {

namespace {

/// Refuses a family of nucleotides and proteins, as far as the letters leave no doubt.
void check_one_type(const std::vector<SequenceRecord>& records,
                    const std::vector<std::string_view>& letters, const std::string& label) {
  const std::optional<MixedTypes> mixed = find_mixed_types(letters);
  if (!mixed) return;
  throw Error(ErrorKind::bad_input,
              label + ": " + quoted(header_name(records[mixed->nucleotides].header)) +
                  " has the letters of nucleotides, " +
                  quoted(header_name(records[mixed->protein].header)) + " those of a protein",
              "align them apart, or say what they all are with --type");
}

}  // namespace

SequenceSet make_family(std::vector<SequenceRecord> records, const InputOptions& options,
                        const std::string& label) {
  std::vector<std::string_view> letters;
  for (const SequenceRecord& record : records) letters.push_back(record.letters);
  if (options.type) return SequenceSet(std::move(records), *options.type);
  check_one_type(records, letters, label);
  return SequenceSet(std::move(records), detect_residue_type(letters));
}

std::string family_label(const InputOptions& options) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, options.files.size()); ++k) {
    text += (k > 0 ? ", " : "") + input_label(options.files[k]);
  }
  if (options.files.size() <= kShown) return text;
  return text + " and " + std::to_string(options.files.size() - kShown) + " more";
}

SequenceSet read_family(const InputOptions& options, std::vector<FileDigest>* digests) {
  std::vector<SequenceRecord> all;
  for (const std::string& file : options.files) {
    const std::string label = input_label(file);
    std::string bytes = read_bytes(file);
    if (digests != nullptr) digests->push_back({file, bytes.size(), sha256(bytes)});
    std::vector<SequenceRecord> records =
        records_of(unpacked(std::move(bytes), label), label, options.reading);
    remove_gaps(records, label, options.reading);
    all.insert(all.end(), std::make_move_iterator(records.begin()),
               std::make_move_iterator(records.end()));
  }
  const std::string label = family_label(options);
  warn_of_odd_records(all, label);
  SequenceSet set = make_family(std::move(all), options, label);
  check_size(set, options);
  return set;
}

FamilyDistances family_distances(const InputOptions& input, const MethodOptions& method,
                                 const ComputeOptions& compute, Purpose purpose,
                                 Scheduler& scheduler, ProgressListener& progress) {
  FamilyDistances family{read_family(input), {}};
  const ResidueType type = family.set.type();
  const AlignSettings settings = make_settings(method, type);
  check_memory(family.set, settings, thread_count(), memory_budget(compute.memory), purpose);
  const PosteriorModel model = build_posterior_model(settings.parameters, type);
  family.distances = compute_posteriors(family.set, model, scheduler, false, &progress).distances;
  return family;
}

void with_scheduler(const ComputeOptions& compute, const MessageOptions& messages,
                    const std::vector<BackendStage>& stages, double work,
                    const std::function<void(Scheduler&, ProgressListener&)>& body) {
  const OpenBackends backends = open_backends(compute, stages, work);
  const std::unique_ptr<Scheduler> scheduler = backends.scheduler();
  {
    ProgressMeter progress(progress_style(messages));
    body(*scheduler, progress);
  }
  warn_of(scheduler->faults());
}

void check_size(const SequenceSet& set, const InputOptions& options) {
  const std::string label = family_label(options);
  if (options.most_sequences && set.size() > static_cast<std::size_t>(*options.most_sequences)) {
    throw Error(ErrorKind::bad_input,
                label + ": " + std::to_string(set.size()) + " sequences; --max-seqs is " +
                    std::to_string(*options.most_sequences),
                "leave out some sequences, or raise the limit");
  }
  if (options.most_residues && set.size() > 0 &&
      set.length(0) > static_cast<std::uint32_t>(*options.most_residues)) {
    throw Error(ErrorKind::bad_input,
                label + ": a sequence of " + std::to_string(set.length(0)) +
                    " residues; --max-length is " + std::to_string(*options.most_residues),
                "cut " + quoted(set.name(0)) + ", or raise the limit");
  }
}

AlignSettings make_settings(const MethodOptions& options, ResidueType type) {
  AlignSettings settings;
  settings.parameters = default_parameters(type, options.mode);
  if (options.intermediates) {
    settings.parameters.consistency.intermediates = *options.intermediates;
  }
  if (options.consistency) settings.parameters.consistency.rounds = *options.consistency;
  if (options.refine) settings.parameters.refine.iterations = *options.refine;
  settings.tree = options.tree;
  settings.tree_file = options.tree_file;
  return settings;
}

void check_outputs(const std::vector<std::string>& wanted) {
  std::vector<std::string> files;
  for (const std::string& file : wanted) {
    if (file.empty()) continue;
    for (const std::string& other : files) {
      if (is_same_output(file, other)) {
        throw Error(ErrorKind::usage, "two outputs to " + (file == "-" ? "stdout" : file),
                    "name a file for each, or use -o");
      }
    }
    files.push_back(file);
  }
  for (const std::string& file : files) check_output_writable(file);
}

double input_work(const InputOptions& options) {
  double letters = 0;
  for (const std::string& file : options.files) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    if (error) return std::numeric_limits<double>::infinity();
    letters += file_letters(file, bytes);
  }
  return file_work(letters);
}

bool is_for_host(const ComputeOptions& options, double work) {
  constexpr double kDriverSeconds = 1;  // 1.3 on a machine with four H200
  return options.device == "auto" && host_seconds(work, thread_count()) < kDriverSeconds;
}

OpenBackends open_backends(const ComputeOptions& options, const std::vector<BackendStage>& stages,
                           double work) {
  const bool host_alone = is_for_host(options, work);
  if (host_alone) log_verbose("auto         none: the host needs less than a second");
  OpenBackends backends =
      open_backends(choose_devices(host_alone ? "none" : options.device), options.opencl);
  for (const BackendStage stage : stages) backends.announce(stage);
  return backends;
}

void apply_common(const MessageOptions& messages, const ComputeOptions& compute) {
  set_verbosity(messages.verbosity);
  if (!messages.log.empty()) set_log_file(messages.log);
  if (compute.time_limit) set_time_limit(*compute.time_limit);
  set_thread_count(chosen_threads(compute));
}

}  // namespace accord
