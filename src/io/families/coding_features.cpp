// SPDX-License-Identifier: Apache-2.0
#include "io/families/coding_features.hpp"

#include <charconv>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/direction.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// Parses a location from left to right, and collects its bases.
class LocationReader {
 public:
  LocationReader(std::string_view text, const std::string& letters)
      : rest_(text), letters_(letters) {}

  std::optional<std::string> read() {
    std::optional<std::string> found = read_part(0);
    if (!rest_.empty()) return std::nullopt;
    return found;
  }

 private:
  static constexpr int kDeepest = 20;

  bool takes(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  std::optional<std::string> read_part(int depth) {
    if (depth > kDeepest) return std::nullopt;
    if (takes("complement(")) {
      const std::optional<std::string> inner = read_part(depth + 1);
      if (!inner || !takes(")")) return std::nullopt;
      return reverse_complement(*inner);
    }
    if (!takes("join(") && !takes("order(")) return read_span();
    std::string joined;
    do {
      const std::optional<std::string> part = read_part(depth + 1);
      // A gene does not use its bases more than twice.
      if (!part || joined.size() > 2 * letters_.size()) return std::nullopt;
      joined += *part;
    } while (takes(","));
    if (!takes(")")) return std::nullopt;
    return joined;
  }

  std::optional<std::string> read_span() {
    takes("<");
    const std::optional<std::size_t> first = read_number();
    std::optional<std::size_t> last = first;
    if (takes("..")) {
      if (!takes(">")) takes("<");
      last = read_number();
    }
    if (!first || !last || *first == 0 || *first > *last || *last > letters_.size()) {
      return std::nullopt;
    }
    return letters_.substr(*first - 1, *last - *first + 1);
  }

  std::optional<std::size_t> read_number() {
    std::size_t number = 0;
    const auto parsed = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    if (parsed.ec != std::errc()) return std::nullopt;
    rest_.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest_.data()));
    return number;
  }

  std::string_view rest_;
  const std::string& letters_;
};

/// The first word of a text.
std::string first_word(const std::string& text) {
  std::string_view rest = text;
  return std::string(take_word(rest));
}

std::string name_of(const FlatRecord& record, std::size_t k) {
  if (record.coding.size() == 1) return record.name;
  for (const char* const name : {"protein_id", "locus_tag", "gene"}) {
    std::string value = first_word(record.coding[k].qualifier(name));
    if (!value.empty()) return value;
  }
  return record.name + "_cds" + std::to_string(k + 1);
}

std::string header_of(const FlatRecord& record, std::size_t k) {
  const CodingFeature& feature = record.coding[k];
  std::string header = name_of(record, k);
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!value.empty()) header += " [" + name + "=" + value + "]";
  };
  add("gene", feature.qualifier("gene"));
  const std::string start = feature.qualifier("codon_start");
  if (start == "2" || start == "3") add("frame", start);
  add("transl_table", feature.qualifier("transl_table"));
  return header;
}

}  // namespace

std::optional<std::string> bases_of_location(std::string_view location,
                                             const std::string& letters) {
  return LocationReader(location, letters).read();
}

std::vector<SequenceRecord> coding_records(const std::vector<FlatRecord>& records,
                                           const std::string& label) {
  std::vector<SequenceRecord> found;
  std::size_t bases_in_all = 0;
  std::size_t without = 0;
  std::string first_without;
  for (const FlatRecord& record : records) {
    if (record.coding.empty()) {
      if (without++ == 0) first_without = record.name;
    }
    for (std::size_t k = 0; k < record.coding.size(); ++k) {
      const CodingFeature& feature = record.coding[k];
      const std::optional<std::string> bases = bases_of_location(feature.location, record.letters);
      if (bases) {
        bases_in_all += bases->size();  // features may share the bases of their record
        check_reading(bases_in_all, label, counted(found.size() + 1, "coding sequence"));
        found.push_back({header_of(record, k), *bases});
        continue;
      }
      log_warning(label + ":" + std::to_string(feature.line) + ": the coding sequence at " +
                      quote(feature.location) + " is left out",
                  "spans of bases of the record are read, with join, order and complement");
    }
  }
  if (found.empty()) {
    throw Error(ErrorKind::bad_input, label + ": there is no coding sequence (CDS)",
                "take a file with its feature table, or the coding sequences as FASTA");
  }
  if (without > 0) {
    log_warning(label + ": " + counted(without, "record has", "records have") +
                " no coding sequence (CDS), the first is " + quote(first_without));
  }
  return found;
}

std::optional<int> header_number(std::string_view header, std::string_view name) {
  const std::string mark = "[" + std::string(name) + "=";
  const std::size_t at = header.find(mark);
  if (at == header.npos) return std::nullopt;
  const char* const begin = header.data() + at + mark.size();
  const char* const end = header.data() + header.size();
  int number = 0;
  const auto parsed = std::from_chars(begin, end, number);
  if (parsed.ec != std::errc() || parsed.ptr == end || *parsed.ptr != ']') return std::nullopt;
  return number;
}

}  // namespace accord
