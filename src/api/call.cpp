// SPDX-License-Identifier: Apache-2.0
#include "api/call.hpp"

#include <array>
#include <limits>
#include <utility>

#include "base/system_limits.hpp"
#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/odd_characters.hpp"
#include "run/devices/compute_options.hpp"

namespace accord::api {
namespace {

/// `odd` takes the characters that are left out; without it they are an error.
SequenceRecord record_of(const Sequence& sequence, bool keeps_gaps, OddCharacters* odd = nullptr) {
  SequenceRecord record{sequence.name, {}};
  for (const char c : sequence.letters) {
    if (is_gap(c)) {
      if (keeps_gaps) record.letters += '-';
      continue;
    }
    if (!is_sequence_letter(c)) {
      if (odd != nullptr) {
        odd->add(c);
        continue;
      }
      throw Error(ErrorKind::bad_input,
                  "sequence " + quote(sequence.name) + ": " + format_character(c) +
                      " is not a sequence character",
                  "{lenient} leaves such characters out");
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

/// Whether Options::named takes the name.
bool is_named(const std::string& name) {
  return find_method_option(name) != nullptr || find_input_option(name) != nullptr;
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
                    counted(columns, "column") + ", " + quote(rows.front().name) + " has " +
                    std::to_string(first));
  }
  return records;
}

FamilySource source_of(const Options& options) {
  FamilySource source;
  source.type = type_of(options.letters);
  source.adjust_direction = options.adjust_direction;
  source.suggests_direction = true;
  for (const auto& [name, text] : options.named) {
    const InputOption* const option = find_input_option(name);
    if (option != nullptr) set_input_option(*option, text, with_underscores(name), source);
  }
  return source;
}

FamilyInput family_of(const std::vector<Sequence>& sequences, const Options& options,
                      bool takes_track) {
  if (sequences.empty()) throw Error(ErrorKind::bad_input, "there are no sequences");
  FamilyInput input;
  input.source = source_of(options);
  input.source.takes_track = takes_track;
  input.label = "the sequences";
  const ReadOptions& reading = input.source.reading;
  OddCharacters odd;
  std::vector<SequenceRecord> records;
  for (const Sequence& sequence : sequences) {
    records.push_back(record_of(sequence, reading.refuse_gaps, reading.lenient ? &odd : nullptr));
  }
  if (reading.refuse_gaps) remove_gaps(records, input.label, reading);
  warn_of_odd_characters(odd, input.label);
  input.set = make_family(std::move(records), input.source, input.label);
  check_size(input.set, input.source, input.label);
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
  aligned.set = make_family(without_gaps(records), source, label);
  return aligned;
}

void set_named_options(const Options& options, MethodOptions& method) {
  for (const auto& [name, text] : options.named) {
    if (find_method_option(name) != nullptr) method.set(name, text, with_underscores(name));
  }
}

MethodOptions method_of(const Options& options) {
  MethodOptions method;
  const auto set = [&](const std::string& name, const std::string& text) {
    method.set(name, text, with_underscores(name));
  };
  set("mode", options.mode);
  set("large", options.large);
  if (!options.tree.empty()) set("tree", options.tree);
  if (!options.parameters.empty()) set("parameters", options.parameters);
  set_named_options(options, method);
  return method;
}

AlignSettings settings_of(const Options& options, ResidueType type) {
  AlignSettings settings = make_settings(method_of(options), type);
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
  // Parameters that stand in no table.
  constexpr std::array kParameters = {
      "aligned",        "among",       "percent-id",      "by-row",        "code",
      "codons",         "columns",     "confidence",      "device",        "fit",
      "frame",          "frameshifts", "memory",          "identity-over", "keep-columns",
      "model",          "keep-names",  "left-out",        "max-gaps",      "max-row-gaps",
      "min-confidence", "nni",         "min-consistency", "precision",     "spr",
      "stops",          "support",     "threads",         "unknown"};
  if (std::ranges::find(kParameters, name) == kParameters.end() && !is_named(name)) {
    return "option " + name + (value.empty() ? "" : " " + value) + " of the program";
  }
  std::string keyword = name;
  std::replace(keyword.begin(), keyword.end(), '-', '_');
  if (value.empty()) return keyword;
  return keyword + (name == "threads" ? "=" + value : "=\"" + value + "\"");
}

std::vector<OptionInfo> options() {
  std::vector<OptionInfo> infos;
  const auto add = [&](const OptionField& field, const char* group) {
    infos.push_back({field.name, group, to_string(field.type), field.words, field.standard,
                     with_option_words(field.help, option_words), example_of(field), field.needs});
  };
  for (const MethodOption& option : method_options()) {
    add(option.field, option.is_of_models ? "models" : "method");
  }
  for (const InputOption& option : input_options()) {
    add(option.field, option.group == InputGroup::track ? "track" : "input");
  }
  return infos;
}

int threads_of(const Options& options) {
  if (options.threads <= 0) return available_processors();
  ComputeOptions checked;
  set_compute_option("threads", std::to_string(options.threads), "threads", checked);
  return checked.threads;
}

void check_names(const Options& options) {
  for (const auto& [name, text] : options.named) {
    if (is_named(name)) continue;
    std::vector<std::string> names;
    for (const OptionInfo& known : accord::api::options()) {
      names.push_back(with_underscores(known.name));
    }
    throw Error(ErrorKind::usage, name + ": there is no such option", "use " + listed(names));
  }
}

/// A request for a device with all stages of the library.
static DeviceRequest request_for(const std::string& device) {
  DeviceRequest request;
  request.device = device;
  request.others = other_stages();
  return request;
}

RunDevices OpenedDevice::devices_for_call(const Options& options) {
  if (options.open_device) return options.open_device->opened_->devices.for_another_run();
  return RunDevices(request_for(options.device));
}

OpenDevice::OpenDevice(const std::string& device, int threads) {
  Options options;
  options.threads = threads;
  opened_ = call(options, [&](const WarningScope& scope) {
    RunDevices devices(request_for(device));
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
