// SPDX-License-Identifier: Apache-2.0
#include "run/batch/batch_record.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "accord/base/error.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "base/text_hash.hpp"
#include "io/files/packing.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

constexpr std::string_view kPrefix = ".accord-batch-";

/// The bytes of a record; none if it cannot be read: its families are then aligned again.
std::string bytes_of(const std::string& path) {
  try {
    return read_bytes(path);
  } catch (const Error&) {
    return {};
  }
}

/// The text_hash of the unpacked text of a file. Only a part of the text is in memory at a time.
/// Throws  Error{no_input} if the file cannot be read; Error{bad_input} if it is damaged.
std::string hash_of_text(const std::string& path) {
  TextHasher hasher;
  const auto add = [&](std::string_view part) { hasher.add(part); };
  if (const Packing packing = packing_of_suffix(path); packing != Packing::none) {
    unpack(packing, read_bytes(path), path, add);
  } else {
    read_in_parts(path, add);
  }
  return hasher.digits();
}

}  // namespace

std::string BatchRecord::path_of(const std::string& directory, const Shard& shard) {
  return joined_path(directory, std::string(kPrefix) + std::to_string(shard.number) + "-of-" +
                                    std::to_string(shard.count) + ".tsv");
}

bool BatchRecord::is_record(std::string_view name) { return name.starts_with(kPrefix); }

BatchRecord::BatchRecord(const std::string& directory, const Shard& shard) {
  std::vector<std::string> files;
  std::error_code error;
  for (const DirectoryEntry& entry : directory_entries(directory, error)) {
    if (is_record(entry.name)) files.push_back(entry.path);
  }
  std::sort(files.begin(), files.end());
  for (const std::string& file : files) read_file(file);

  path_ = path_of(directory, shard);
  const std::string before = bytes_of(path_);
  descriptor_ = open_to_append(path_);
  // A line that was cut off must not swallow the next one.
  const bool is_cut = !before.empty() && before.back() != '\n';
  if (descriptor_ < 0 || (is_cut && write_some(descriptor_, "\n") != 1)) {
    throw Error(ErrorKind::cannot_create, "cannot write " + path_ + ": " + std::strerror(errno),
                "the output directory holds the record of the batch: it must be writable");
  }
}

BatchRecord::~BatchRecord() {
  if (descriptor_ >= 0) close_descriptor(descriptor_);
}

/// Later lines replace earlier ones of the same family.
void BatchRecord::read_file(const std::string& path) {
  const std::string text = bytes_of(path);
  for (LineReader reader(text); reader.next();) {
    const std::string_view line = reader.line();
    const std::vector<std::string_view> fields = split(line, '\t');
    if (fields.size() != 5 ||
        text_hash(line.substr(0, line.size() - fields[4].size())) != fields[4])
      continue;
    entries_[std::string(fields[0])] = {{std::string(fields[1]), std::string(fields[2])},
                                        std::string(fields[3])};
  }
}

bool BatchRecord::is_complete(const BatchFamily& family, const AlignmentSources& sources) const {
  const auto found = entries_.find(family.id);
  if (found == entries_.end() || found->second.sources != sources) return false;
  try {
    return hash_of_text(family.output) == found->second.output;
  } catch (const Error&) {
    return false;  // the output does not exist or is damaged
  }
}

void BatchRecord::add(const BatchFamily& family, const AlignmentSources& sources,
                      const std::string& output_hash) {
  std::string line =
      family.id + '\t' + sources.input + '\t' + sources.parameters + '\t' + output_hash + '\t';
  line += text_hash(line) + '\n';
  const std::lock_guard lock(mutex_);
  const std::ptrdiff_t written = write_some(descriptor_, line);
  if (written != static_cast<std::ptrdiff_t>(line.size())) {
    throw Error(ErrorKind::write_failed, "cannot write " + path_ + ": " +
                                             (written < 0 ? std::strerror(errno) : "disk full"));
  }
}

const char* to_string(FamilyStatus status) {
  switch (status) {
    case FamilyStatus::aligned:
      return "aligned";
    case FamilyStatus::complete:
      return "complete";
    case FamilyStatus::failed:
      return "failed";
    case FamilyStatus::not_started:
      return "not started";
  }
  return "";
}

std::string in_words(const FamilyFacts& facts) {
  std::string text;
  if (facts.track) text += formatted(", track weight %.3f", facts.track->weight);
  if (facts.superposition) {
    text += ", " + counted(facts.superposition->pairs, "pair") + " superposed";
  }
  return text;
}

std::size_t count_of(const std::vector<FamilyOutcome>& outcomes, FamilyStatus status) {
  return static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(),
                    [&](const FamilyOutcome& outcome) { return outcome.status == status; }));
}

std::string summary_of(const std::vector<FamilyOutcome>& outcomes, double seconds) {
  std::string text = counted(outcomes.size(), "family", "families") + ": ";
  for (FamilyStatus status : {FamilyStatus::aligned, FamilyStatus::complete, FamilyStatus::failed,
                              FamilyStatus::not_started}) {
    const std::size_t count = count_of(outcomes, status);
    if (count == 0 && status != FamilyStatus::aligned) continue;
    text += std::to_string(count) + " " + to_string(status) + ", ";
  }
  return text + formatted("%.1f s", seconds);
}

}  // namespace accord
