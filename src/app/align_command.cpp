// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>

#include "accord/app/commands.hpp"
#include "accord/app/device_choice.hpp"
#include "accord/app/report.hpp"
#include "accord/base/parallel.hpp"
#include "accord/base/timer.hpp"
#include "accord/io/distance_writer.hpp"
#include "accord/io/fasta.hpp"
#include "accord/io/newick.hpp"
#include "accord/io/output_file.hpp"

namespace accord {
namespace {

SequenceSet read_family(const Options& options) {
  std::vector<SequenceRecord> records = read_fasta(options.input);
  std::vector<std::string_view> letters;
  for (const SequenceRecord& record : records) letters.push_back(record.letters);
  const ResidueType type = options.type ? *options.type : detect_residue_type(letters);
  return SequenceSet(std::move(records), type);
}

AlignSettings make_settings(const Options& options, ResidueType type) {
  AlignSettings settings;
  settings.parameters = default_parameters(type, options.mode);
  if (options.consistency) settings.parameters.consistency.rounds = *options.consistency;
  if (options.refine) settings.parameters.refine.iterations = *options.refine;
  settings.tree = options.tree;
  settings.tree_file = options.tree_file;
  return settings;
}

void log_family(const SequenceSet& set, const Options& options, const Backend& backend) {
  const std::uint32_t longest = set.size() ? set.length(0) : 0;
  const std::uint32_t shortest = set.size() ? set.length(set.size() - 1) : 0;
  log_verbose("accord " ACCORD_VERSION "  " + std::to_string(set.size()) + " sequences, " +
              std::string(to_string(set.type())) + (options.type ? "" : " (detected)") +
              ", length " + std::to_string(shortest) + "-" + std::to_string(longest) + "  mode " +
              options.mode);
  log_verbose("device       " + backend.name());
}

}  // namespace

void run_align(const Options& options) {
  const Timer timer;
  set_verbosity(options.verbosity);
  set_thread_count(options.threads > 0 ? options.threads : available_processors());
  for (const std::string& file :
       {options.output, options.tree_out, options.dist_out, options.report}) {
    if (!file.empty()) check_output_writable(file);
  }
  const SequenceSet set = read_family(options);
  const AlignSettings settings = make_settings(options, set.type());
  const std::unique_ptr<Backend> backend = choose_backend(options.device);
  log_family(set, options, *backend);

  const AlignResult result = align_family(set, settings, *backend);

  write_output(options.output, format_alignment(set, result.msa, options.format));
  if (!options.tree_out.empty()) write_output(options.tree_out, format_newick(result.tree, set));
  if (!options.dist_out.empty()) {
    write_output(options.dist_out, format_distances(result.distances, set));
  }
  const RunCost cost{timer.seconds(), process_cpu_seconds(), process_peak_bytes()};
  if (!options.report.empty()) {
    write_output(options.report, format_report(options, set, settings, result, *backend, cost));
  }
  char line[160];
  std::snprintf(line, sizeof line, "total        %9.3f s  cpu %.3f s, peak memory %.1f MiB",
                cost.wall_seconds, cost.cpu_seconds,
                static_cast<double>(cost.peak_bytes) / (1024.0 * 1024.0));
  log_verbose(line);
}

}  // namespace accord
