// SPDX-License-Identifier: Apache-2.0
#include "accord/io/family_reader.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/io/fasta.hpp"
#include "accord/io/sha256.hpp"
#include "accord/io/text_input.hpp"

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

std::string family_label(const FamilySource& source) {
  constexpr std::size_t kShown = 3;
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, source.files.size()); ++k) {
    text += (k > 0 ? ", " : "") + input_label(source.files[k]);
  }
  if (source.files.size() <= kShown) return text;
  return text + " and " + std::to_string(source.files.size() - kShown) + " more";
}

FamilyInput read_family(const FamilySource& source, bool with_checksums) {
  FamilyInput input;
  input.label = family_label(source);
  input.is_type_detected = !source.type.has_value();
  std::vector<SequenceRecord> all;
  for (const std::string& file : source.files) {
    const std::string label = input_label(file);
    std::string bytes = read_bytes(file);
    input.files.push_back({file, bytes.size(), with_checksums ? sha256(bytes) : ""});
    std::vector<SequenceRecord> records =
        records_of(unpacked(std::move(bytes), label), label, source.reading);
    remove_gaps(records, label, source.reading);
    all.insert(all.end(), std::make_move_iterator(records.begin()),
               std::make_move_iterator(records.end()));
  }
  warn_of_odd_records(all, input.label);
  input.set = make_family(std::move(all), source, input.label);
  check_size(input.set, source, input.label);
  return input;
}

SequenceSet make_family(std::vector<SequenceRecord> records, const FamilySource& source,
                        const std::string& label) {
  if (source.type) return SequenceSet(std::move(records), *source.type);
  std::vector<std::string_view> letters;
  for (const SequenceRecord& record : records) letters.push_back(record.letters);
  check_one_type(records, letters, label);
  const ResidueType type = detect_residue_type(letters);
  return SequenceSet(std::move(records), type);
}

void check_size(const SequenceSet& set, const FamilySource& source, const std::string& label) {
  if (source.most_sequences && set.size() > static_cast<std::size_t>(*source.most_sequences)) {
    throw Error(ErrorKind::bad_input,
                label + ": " + std::to_string(set.size()) + " sequences; --max-seqs is " +
                    std::to_string(*source.most_sequences),
                "leave out some sequences, or raise the limit");
  }
  if (source.most_residues && set.size() > 0 &&
      set.length(0) > static_cast<std::uint32_t>(*source.most_residues)) {
    throw Error(ErrorKind::bad_input,
                label + ": a sequence of " + std::to_string(set.length(0)) +
                    " residues; --max-length is " + std::to_string(*source.most_residues),
                "cut " + quoted(set.name(0)) + ", or raise the limit");
  }
}

}  // namespace accord
