// SPDX-License-Identifier: Apache-2.0
#include "api/call.hpp"

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "io/aligned_records.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/odd_characters.hpp"

namespace accord::api {
namespace {

bool is_gap(char c) { return c == '-' || c == '.'; }

SequenceRecord record_of(const Sequence& sequence, bool keeps_gaps) {
  SequenceRecord record{sequence.name, {}};
  for (const char c : sequence.letters) {
    if (is_gap(c)) {
      if (keeps_gaps) record.letters += '-';
      continue;
    }
    if (!is_sequence_letter(c)) {
      throw Error(ErrorKind::bad_input, "sequence " + quote(sequence.name) + ": " +
                                            format_character(c) + " is not a sequence character");
    }
    record.letters += c;
  }
  return record;
}

/// The confidence of each residue in its column, row by row in the order of the input.
std::vector<float> spread_confidence(const SequenceSet& set, const Msa& msa,
                                     const Confidence& confidence) {
  std::vector<float> all(set.size() * msa.columns, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t k = 0; k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    for (std::size_t i = 0; i < msa.column_of[x].size(); ++i) {
      all[k * msa.columns + msa.column_of[x][i]] = confidence.residue[x][i];
    }
  }
  return all;
}

/// The values of the columns that are kept, row by row of `columns` each.
std::vector<float> kept_values(const std::vector<float>& values, const std::vector<bool>& kept) {
  std::vector<float> left;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (kept[k % kept.size()]) left.push_back(values[k]);
  }
  return left;
}

}  // namespace

std::optional<ResidueType> type_of(Letters letters) {
  switch (letters) {
    case Letters::protein:
      return ResidueType::protein;
    case Letters::dna:
      return ResidueType::dna;
    case Letters::rna:
      return ResidueType::rna;
    case Letters::detect:
      break;
  }
  return std::nullopt;
}

Letters letters_of(ResidueType type) {
  switch (type) {
    case ResidueType::dna:
      return Letters::dna;
    case ResidueType::rna:
      return Letters::rna;
    case ResidueType::protein:
      break;
  }
  return Letters::protein;
}

std::vector<SequenceRecord> records_of(const std::vector<Sequence>& sequences) {
  std::vector<SequenceRecord> records;
  for (const Sequence& sequence : sequences) records.push_back(record_of(sequence, false));
  return records;
}

std::vector<SequenceRecord> records_of_rows(const std::vector<Sequence>& rows) {
  std::vector<SequenceRecord> records;
  for (const Sequence& row : rows) {
    records.push_back(record_of(row, true));
    const std::size_t first = records.front().letters.size(), columns = row.letters.size();
    if (columns == first) continue;
    throw Error(ErrorKind::bad_input,
                "the rows of the alignment differ in length: " + quote(row.name) + " has " +
                    std::to_string(columns) + " columns, " + quote(rows.front().name) + " has " +
                    std::to_string(first));
  }
  return records;
}

FamilySource source_of(const Options& options) {
  FamilySource source;
  source.type = type_of(options.letters);
  source.adjust_direction = options.adjust_direction;
  source.suggests_direction = true;
  return source;
}

FamilyInput family_of(const std::vector<Sequence>& sequences, const Options& options) {
  if (sequences.empty()) throw Error(ErrorKind::bad_input, "there are no sequences");
  FamilyInput input;
  input.source = source_of(options);
  input.label = "the sequences";
  input.set = make_family(records_of(sequences), input.source, input.label);
  return input;
}

AlignedFamily aligned_family_of(const std::vector<Sequence>& rows, const Options& options,
                                const std::string& label) {
  if (rows.empty()) throw Error(ErrorKind::bad_input, label + " has no rows");
  AlignedFamily aligned;
  aligned.label = label;
  std::vector<SequenceRecord> records = records_of_rows(rows);
  for (const SequenceRecord& record : records) aligned.rows.push_back(record.letters);
  FamilySource source = source_of(options);
  source.adjust_direction = source.suggests_direction = false;
  aligned.set = make_family(without_gaps(std::move(records)), source, label);
  return aligned;
}

AlignSettings settings_of(const Options& options, ResidueType type) {
  MethodOptions method;
  if (!options.tree.empty() && options.tree != "upgma" && options.tree != "nj") {
    throw Error(ErrorKind::usage, "tree " + options.tree + ": no such method", "use upgma or nj");
  }
  method.mode = align_mode(options.mode, "mode");
  if (options.tree == "upgma") method.tree = TreeMethod::upgma;
  if (options.tree == "nj") method.tree = TreeMethod::neighbor_joining;
  method.large = large_families(options.large, "large");
  if (!options.parameters.empty()) {
    method.parameters =
        parse_parameter_set(read_text(options.parameters), input_label(options.parameters));
  }
  AlignSettings settings = make_settings(method, type);
  settings.confidence = options.confidence;
  return settings;
}

std::optional<std::size_t> budget_of(const Options& options) {
  return options.memory > 0 ? std::optional(options.memory) : usual_memory_budget();
}

AlignedRows named_rows_of(const std::vector<Sequence>& rows, const std::string& label) {
  AlignedRows named;
  named.source = label;
  for (const Sequence& row : rows) {
    named.names.emplace_back(SequenceRecord{row.name, {}}.name());
    named.rows.push_back(row.letters);
    std::replace_if(named.rows.back().begin(), named.rows.back().end(), is_gap, '-');
  }
  return named;
}

std::string option_words(const std::string& name, const std::string& value) {
  constexpr std::array kOwn = {"adjust-direction",
                               "by-row",
                               "code",
                               "codons",
                               "columns",
                               "confidence",
                               "device",
                               "fit",
                               "frame",
                               "frameshifts",
                               "identity-over",
                               "keep-columns",
                               "keep-names",
                               "left-out",
                               "large",
                               "max-gaps",
                               "max-row-gaps",
                               "memory",
                               "min-confidence",
                               "min-consistency",
                               "mode",
                               "model",
                               "nni",
                               "parameters",
                               "precision",
                               "prune",
                               "spr",
                               "stops",
                               "support",
                               "threads",
                               "tree",
                               "type",
                               "unknown"};
  if (std::ranges::find(kOwn, name) == kOwn.end()) {
    return "option " + name + (value.empty() ? "" : " " + value) + " of the program";
  }
  std::string own = name;
  std::replace(own.begin(), own.end(), '-', '_');
  if (value.empty()) return own;
  return own + (name == "threads" ? "=" + value : "=\"" + value + "\"");
}

RunDevices OpenedDevice::of_call(const Options& options) {
  if (options.open_device) return options.open_device->opened_->devices.for_another_run();
  return RunDevices({.device = options.device});
}

OpenDevice::OpenDevice(const std::string& device, int threads) {
  Options options;
  options.threads = threads;
  opened_ = call(options, [&](const WarningScope& scope) {
    RunDevices devices({.device = device});
    return std::make_shared<OpenedDevice>(OpenedDevice{std::move(devices), notices_of(scope)});
  });
}

const std::vector<Notice>& OpenDevice::warnings() const { return opened_->warnings; }

std::vector<Notice> notices_of(const WarningScope& scope) {
  std::vector<Notice> notices;
  for (const Warning& warning : scope.warnings()) {
    notices.push_back({warning.text, with_option_words(warning.hint, option_words)});
  }
  return notices;
}

Alignment alignment_of(const AlignmentText& text) {
  Alignment alignment;
  alignment.letters = letters_of(text.type);
  for (std::size_t k = 0; k < text.rows.size(); ++k) {
    alignment.rows.push_back({text.headers[k], text.rows[k]});
  }
  return alignment;
}

void set_confidence(Alignment& alignment, const SequenceSet& set, const Msa& msa,
                    const Confidence& confidence) {
  alignment.column_confidence = confidence.column;
  alignment.residue_confidence = spread_confidence(set, msa, confidence);
  alignment.mean_confidence = confidence.mean;
}

Alignment part_of(const AlignmentText& text, const Alignment& whole,
                  const std::vector<bool>& kept) {
  Alignment part = alignment_of(text);
  part.column_confidence = kept_values(whole.column_confidence, kept);
  part.residue_confidence = kept_values(whole.residue_confidence, kept);
  part.mean_confidence = whole.mean_confidence;
  return part;
}

}  // namespace accord::api
