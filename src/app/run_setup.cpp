// SPDX-License-Identifier: Apache-2.0
#include "accord/app/run_setup.hpp"

#include <utility>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/sequence_reader.hpp"

namespace accord {

SequenceSet make_family(std::vector<SequenceRecord> records, const InputOptions& options) {
  std::vector<std::string_view> letters;
  for (const SequenceRecord& record : records) letters.push_back(record.letters);
  const ResidueType type = options.type ? *options.type : detect_residue_type(letters);
  return SequenceSet(std::move(records), type);
}

SequenceSet read_family(const InputOptions& options) {
  return make_family(read_sequences(options.file, options.format), options);
}

AlignSettings make_settings(const MethodOptions& options, ResidueType type) {
  AlignSettings settings;
  settings.parameters = default_parameters(type, options.mode);
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

OpenBackends open_backends(const ComputeOptions& options) {
  return open_backends(choose_devices(options.device), options.opencl);
}

void apply_common(const MessageOptions& messages, const ComputeOptions& compute) {
  set_verbosity(messages.verbosity);
  set_thread_count(chosen_threads(compute));
}

}  // namespace accord
