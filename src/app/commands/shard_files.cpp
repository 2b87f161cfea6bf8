// SPDX-License-Identifier: Apache-2.0
#include "app/commands/shard_files.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/run_setup.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/shard_text.hpp"
#include "method/large/representatives.hpp"
#include "method/method_text.hpp"
#include "run/estimate/estimate.hpp"

namespace accord {
namespace {

constexpr std::size_t kShownDigits = 12;  // of a checksum in messages

std::string shown(const std::string& checksum) { return checksum.substr(0, kShownDigits); }

/// The sequences of a shard, and which of them are placed.
struct OwnSequences {
  std::vector<SequenceRecord> records;  ///< in the order of the input
  std::vector<std::size_t> to_place;    ///< those that are neither in the core nor copies
};

/// Reads a family, and keeps the sequences of a shard.
/// Throws  Error{bad_input} if it is not the family of the core.
OwnSequences read_shard(const FamilySource& source, const Shard& shard, const CoreFile& core,
                        const std::string& core_path) {
  OwnSequences own;
  std::vector<bool> is_placed(core.sequences, true);
  for (const std::vector<std::size_t>* places : {&core.places, &core.copies}) {
    for (const std::size_t k : *places) {
      if (k < is_placed.size()) is_placed[k] = false;
    }
  }
  FamilyDigest digest;
  std::size_t k = 0;
  for_each_sequence(source, [&](SequenceRecord&& record) {
    digest.add(record);
    const std::size_t place = k++;
    if (place % shard.count + 1 != shard.number || place >= core.sequences) return;
    if (is_placed[place]) own.to_place.push_back(own.records.size());
    own.records.push_back(std::move(record));
  });
  const std::string sha256 = digest.digits();
  if (sha256 == core.family_sha256) return own;
  throw Error(ErrorKind::bad_input,
              family_label(source) + " is not the family of " + core_path + ": it has " +
                  std::to_string(k) + " sequences, checksum " + shown(sha256) +
                  "; the core is of " + std::to_string(core.sequences) + ", checksum " +
                  shown(core.family_sha256),
              "give the sequences that the core was made of, in their order");
}

}  // namespace

CoreFile core_file(const FamilyInput& input, FamilyCore core, const std::string& method) {
  const SequenceSet& set = input.set;
  CoreFile file;
  file.family = input.label;
  file.sequences = set.size();
  file.type = set.type();
  file.source = input.source;
  file.method = method;
  file.nearest = core.nearest;
  std::vector<std::size_t> place(set.size());
  FamilyDigest digest;
  for (std::size_t k = 0; k < set.size(); ++k) {
    place[set.from_input(k)] = k;
    digest.add(set.record(set.from_input(k)));
  }
  file.family_sha256 = digest.digits();
  for (const std::uint32_t x : core.members) {
    file.members.push_back(set.record(x));
    file.places.push_back(place[x]);
  }
  std::vector<bool> is_copy(set.size(), true);
  for (const std::uint32_t x : distinct_sequences(set)) is_copy[x] = false;
  for (std::size_t x = 0; x < set.size(); ++x) {
    if (is_copy[x]) file.copies.push_back(place[x]);
  }
  std::ranges::sort(file.copies);
  file.msa = std::move(core.aligned.msa);
  file.tree = std::move(core.aligned.tree);
  file.confidence = std::move(core.aligned.confidence);
  file.posterior_cells = core.aligned.posterior_cells;
  file.posterior_bytes = core.aligned.posterior_bytes;
  return file;
}

AlignSettings settings_of(const CoreFile& core, const std::string& path) {
  AlignSettings settings = make_settings(parse_method(core.method, path), core.type);
  const std::string own = settings_checksum(core.source, settings, core.type);
  if (own == core.settings_sha256) return settings;
  throw Error(ErrorKind::bad_input,
              path + ": aligned with the parameters " + shown(core.settings_sha256) +
                  ", but this program has " + shown(own),
              "make the core, its parts and the whole with one program");
}

FamilyCore family_core(const CoreFile& core, std::vector<std::uint32_t> members,
                       const std::string& path) {
  if (!std::ranges::is_sorted(members)) {
    throw Error(ErrorKind::bad_input, path + ": the members of the core are out of order",
                "make it again");
  }
  FamilyCore family;
  family.members = std::move(members);
  family.nearest = core.nearest;
  family.aligned.msa = core.msa;
  family.aligned.tree = core.tree;
  family.aligned.confidence = core.confidence;
  family.aligned.posterior_cells = core.posterior_cells;
  family.aligned.posterior_bytes = core.posterior_bytes;
  return family;
}

void add_shard(const RunOptions& options, const Shard& shard, const std::string& output) {
  start_run(options, input_files(options), {output});
  const std::string& core_path = options.input.files.front();
  const CoreFile file = read_core(core_path);
  FamilySource source = file.source;
  source.files.assign(options.input.files.begin() + 1, options.input.files.end());
  Computation computation(options, {BackendStage::posteriors},
                          input_work(source) / static_cast<double>(shard.count));
  AlignSettings settings = settings_of(file, core_path);
  settings.confidence = file.confidence.has_value();
  OwnSequences own = read_shard(source, shard, file, core_path);

  std::vector<SequenceRecord> records = file.members;
  for (const std::size_t k : own.to_place) records.push_back(own.records[k]);
  const SequenceSet set(std::move(records), file.type);
  std::vector<std::uint32_t> members;
  for (std::size_t m = 0; m < file.members.size(); ++m) {
    members.push_back(static_cast<std::uint32_t>(set.from_input(m)));
  }
  const FamilyCore core = family_core(file, std::move(members), core_path);
  std::vector<std::uint32_t> sequences;
  for (std::uint32_t x = 0; x < set.size(); ++x) {
    if (!std::ranges::binary_search(core.members, x)) sequences.push_back(x);
  }
  const std::optional<std::size_t> budget = memory_budget(options.compute);
  check_memory(work_of_adding(set, core.members.size(), settings.large_effort), worst_case(),
               settings, thread_count(), budget);
  std::vector<StageRecord> stages;
  std::vector<PlacedSequence> placed = computation.run([&](Scheduler& scheduler,
                                                           ProgressListener& progress) {
    return place_in_core(set, core, sequences, settings, scheduler, stages, {log_stage, &progress});
  });

  PartFile part{output, file.checksum, shard.number, shard.count, std::move(own.records), {}};
  part.placed.resize(part.records.size());
  for (std::size_t d = 0; d < own.to_place.size(); ++d) {
    const auto x = static_cast<std::uint32_t>(set.from_input(file.members.size() + d));
    const auto at = std::ranges::lower_bound(sequences, x) - sequences.begin();
    part.placed[own.to_place[d]] = std::move(placed[static_cast<std::size_t>(at)]);
  }
  write_outputs({part_output(part, file.msa.columns)});
}

}  // namespace accord
