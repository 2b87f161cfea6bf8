// SPDX-License-Identifier: Apache-2.0
#include "run/shard_run.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "core/placed_sequence.hpp"
#include "io/families/shard_text.hpp"
#include "io/files/text_input.hpp"
#include "method/large/large_family.hpp"
#include "method/large/representatives.hpp"
#include "method/method_text.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {
namespace {

constexpr std::size_t kShownDigits = 12;  // of a checksum in messages

std::string shown(const std::string& checksum) { return checksum.substr(0, kShownDigits); }

/// The sequences of a shard, and which of them are placed.
struct ShardSequences {
  std::vector<SequenceRecord> records;  ///< in the order of the input
  std::vector<std::size_t> to_place;    ///< indices of those neither in the core nor copies
};

/// Reads a family, and keeps the sequences of a shard.
/// Throws  Error{bad_input} if the core is of another family.
ShardSequences read_shard(const FamilySource& source, const Shard& shard, const CoreFile& core,
                          const std::string& core_path) {
  ShardSequences sequences;
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
    if (is_placed[place]) sequences.to_place.push_back(sequences.records.size());
    sequences.records.push_back(std::move(record));
  });
  const std::string sha256 = digest.digits();
  if (sha256 == core.family_sha256) return sequences;
  throw Error(ErrorKind::bad_input,
              family_label(source) + " is not the family of " + core_path + ": it has " +
                  counted(k, "sequence") + ", checksum " + shown(sha256) + "; the core is of " +
                  std::to_string(core.sequences) + ", checksum " + shown(core.family_sha256),
              "give the sequences that the core was made of, in their order");
}

/// The core in the form of its file.
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

/// The core of a file, for a set that has its members. `members`: the canonical indices of the
/// members in the set.
/// Throws  Error{bad_input} if they are not in canonical order.
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

/// All sequences of a family, in the order of the input, and where they are placed in the core.
struct AllParts {
  std::vector<SequenceRecord> records;
  std::vector<std::optional<PlacedSequence>> placed;
  std::vector<FileDigest> files;  ///< the core and the parts
};

AllParts read_parts(const std::vector<std::string>& files, const CoreFile& core,
                    const std::string& core_path) {
  std::vector<PartFile> parts;
  AllParts all;
  all.files = {core.file};
  all.records.resize(core.sequences);
  all.placed.resize(core.sequences);
  for (const std::string& file : files) {
    PartFile& part = parts.emplace_back(read_part(file, core, core_path));
    for (std::size_t k = 0; k < part.records.size(); ++k) {
      const std::size_t place = k * part.count + part.number - 1;
      all.records[place] = std::move(part.records[k]);
      all.placed[place] = std::move(part.placed[k]);
    }
    all.files.push_back(part.file);
    part.records = {};
    part.placed = {};
  }
  check_parts(parts);
  return all;
}

/// The placements of sequences_to_place(), in their order. `by_place`: the placement of each
/// sequence, in the order of the input.
std::vector<PlacedSequence> placed_in_order(const SequenceSet& set, const FamilyCore& core,
                                            std::vector<std::optional<PlacedSequence>> by_place) {
  std::vector<std::size_t> place(set.size());
  for (std::size_t k = 0; k < set.size(); ++k) place[set.from_input(k)] = k;
  std::vector<PlacedSequence> placed;
  for (const std::uint32_t x : sequences_to_place(set, core)) {
    std::optional<PlacedSequence>& one = by_place[place[x]];
    if (!one) {
      throw Error(ErrorKind::bad_input,
                  "the sequence " + quote(set.name(x)) + " is placed in no part",
                  "make the parts again");
    }
    placed.push_back(std::move(*one));
  }
  return placed;
}

}  // namespace

CoreFile core(const PreparedFamily& family, const std::string& method, const RunContext& context) {
  const auto& [input, settings, plan] = family;
  check_memory(family, thread_count(), context.memory_budget, FamilyOutput::core);
  announce_consistency(settings, plan.backbone, context.devices);
  FamilyCore made = context.devices.compute([&family, &context](Scheduler& scheduler) {
    return align_core(family.set(), family.plan.backbone, family.settings, scheduler,
                      context.listener);
  });
  CoreFile file = core_file(input, std::move(made), method);
  file.settings_sha256 = settings_checksum(input.source, settings, input.set.type());
  return file;
}

AlignSettings settings_of_core(const CoreFile& core, const std::string& path) {
  AlignSettings settings = make_settings(parse_method(core.method, path), core.type);
  const std::string checksum = settings_checksum(core.source, settings, core.type);
  if (checksum == core.settings_sha256) return settings;
  throw Error(ErrorKind::bad_input,
              path + ": aligned with the parameters " + shown(core.settings_sha256) +
                  ", but this program has " + shown(checksum),
              "make the core, its parts and the whole with one program");
}

PartFile place_shard(const CoreFile& core, const std::string& core_path, const FamilySource& family,
                     const Shard& shard, const std::string& path, const RunContext& context) {
  AlignSettings settings = settings_of_core(core, core_path);
  settings.confidence = core.confidence.has_value();
  ShardSequences of_shard = read_shard(family, shard, core, core_path);

  std::vector<SequenceRecord> records = core.members;
  for (const std::size_t k : of_shard.to_place) records.push_back(of_shard.records[k]);
  const SequenceSet set(std::move(records), core.type);
  std::vector<std::uint32_t> members;
  for (std::size_t m = 0; m < core.members.size(); ++m) {
    members.push_back(static_cast<std::uint32_t>(set.from_input(m)));
  }
  const FamilyCore around = family_core(core, std::move(members), core_path);
  std::vector<std::uint32_t> sequences;
  for (std::uint32_t x = 0; x < set.size(); ++x) {
    if (!std::ranges::binary_search(around.members, x)) sequences.push_back(x);
  }
  check_memory(work_of_adding(set, around.members.size(), settings.large_effort), worst_case(),
               settings, thread_count(), context.memory_budget);
  std::vector<StageRecord> stages;
  std::vector<PlacedSequence> placed = context.devices.compute([&](Scheduler& scheduler) {
    return place_in_core(set, around, sequences, settings, scheduler, stages, context.listener);
  });

  PartFile part{path, core.checksum, shard.number, shard.count, std::move(of_shard.records), {}};
  part.placed.resize(part.records.size());
  for (std::size_t d = 0; d < of_shard.to_place.size(); ++d) {
    const auto x = static_cast<std::uint32_t>(set.from_input(core.members.size() + d));
    const auto at = std::ranges::lower_bound(sequences, x) - sequences.begin();
    part.placed[of_shard.to_place[d]] = std::move(placed[static_cast<std::size_t>(at)]);
  }
  return part;
}

JoinedFamily join(CoreFile core, const std::string& core_path,
                  const std::vector<std::string>& parts, bool has_confidence,
                  const RunContext& context) {
  AlignSettings settings = settings_of_core(core, core_path);
  settings.confidence = has_confidence;
  if (!has_confidence) core.confidence.reset();
  AllParts all = read_parts(parts, core, core_path);
  FamilyInput input;
  input.label = core.family;
  input.source = core.source;
  FamilySource typed = core.source;
  typed.type = core.type;
  input.set = make_family(std::move(all.records), typed, input.label);
  input.files = std::move(all.files);
  JoinedFamily joined{prepare_family(std::move(input), std::move(settings)), {}};
  const PreparedFamily& family = joined.family;
  const SequenceSet& set = family.set();
  std::vector<std::uint32_t> members;
  for (const std::size_t place : core.places) {
    members.push_back(static_cast<std::uint32_t>(set.from_input(place)));
  }
  FamilyCore whole = family_core(core, std::move(members), core_path);
  std::vector<PlacedSequence> placed = placed_in_order(set, whole, std::move(all.placed));
  check_memory(family, thread_count(), context.memory_budget);
  joined.aligned = context.devices.compute([&](Scheduler& scheduler) {
    return join_placed(set, std::move(whole), std::move(placed), family.settings, scheduler,
                       context.listener);
  });
  return joined;
}

}  // namespace accord::run
