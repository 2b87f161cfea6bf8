// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/json_text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

Error not_ours(const std::string& label, const std::string& what) {
  return Error(ErrorKind::bad_input, label + ": " + what,
               "an alignment in JSON is an object with 'sequences', a list of objects with 'name' "
               "and 'row', as accord writes it");
}

/// Writes a text as a JSON string.
std::string json_text(std::string_view text) {
  // The library checks each character in three ways, which is slow for long rows.
  const bool is_plain = std::none_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < ' ' || byte >= 0x7f || c == '"' || c == '\\';
  });
  return is_plain ? '"' + std::string(text) + '"' : nlohmann::json(text).dump();
}

/// Writes a list in the outermost object, one entry per line.
class List {
 public:
  explicit List(TextSink& out) : out_(out) { out_ << '['; }
  void next() {
    out_ << (has_entries_ ? ",\n  " : "\n  ");
    has_entries_ = true;
  }
  void end() { out_ << (has_entries_ ? "\n ]" : "]"); }

 private:
  TextSink& out_;
  bool has_entries_ = false;
};

/// The text of a member, with control characters replaced, since no other format can hold them;
/// none if the member is missing or not a text.
std::optional<std::string> text_of(const Json& object, const char* key) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_string()) return std::nullopt;
  auto text = at->get<std::string>();
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < ' ' && c != '\t') c = '_';
  }
  return text;
}

/// Throws if a row does not have the stated number of columns.
void check_columns(const Json& json, const std::vector<SequenceRecord>& records,
                   const std::string& label) {
  const auto at = json.find("columns");
  if (at == json.end() || !at->is_number_unsigned()) return;
  for (const SequenceRecord& record : records) {
    if (record.letters.size() == at->get<std::size_t>()) continue;
    throw not_ours(label, "row " + quote(record.name()) + " has " +
                              counted(record.letters.size(), "column") + ", 'columns' says " +
                              at->dump());
  }
}

}  // namespace

/// Warns of names that are not UTF-8, which JSON requires.
void warn_of_json(const AlignmentText& alignment) {
  const auto count = std::count_if(alignment.headers.begin(), alignment.headers.end(),
                                   [](const std::string& header) { return !is_utf8(header); });
  if (count == 0) return;
  log_warning("json: " + counted(count, "name is not UTF-8 and is", "names are not UTF-8 and are") +
              " written as if in Latin-1");
}

std::vector<SequenceRecord> parse_alignment_json(std::string_view text, const std::string& label,
                                                 OddCharacters* left_out) {
  const Json json = parse_json(text, label, "was the file cut off?");
  if (!json.is_object() || !json.contains("sequences") || !json["sequences"].is_array()) {
    throw not_ours(label, "no list of sequences");
  }
  RecordBuilder builder(label, left_out);
  std::vector<std::string> headers;
  std::size_t changed = 0;
  for (const Json& sequence : json["sequences"]) {
    const std::string place = "sequence " + std::to_string(headers.size() + 1);
    if (!sequence.is_object()) throw not_ours(label, place + " is not an object");
    const std::optional<std::string> name = text_of(sequence, "name");
    changed += name && *name != sequence["name"].get<std::string>();
    const std::optional<std::string> row = text_of(sequence, "row");
    if (!name || !row) throw not_ours(label, place + " has no name or no row");
    if (!builder.add(*name)) {
      throw not_ours(label, "two sequences are named " + quote(*name));
    }
    builder.append(headers.size(), *row, 1);
    headers.push_back(text_of(sequence, "header").value_or(*name));
  }
  if (changed > 0) {
    log_warning(label + ": " + counted(changed, "name has", "names have") +
                    " control characters, read as _",
                "no other format can hold them");
  }
  std::vector<SequenceRecord> records = builder.finish();
  check_columns(json, records, label);
  for (std::size_t k = 0; k < records.size(); ++k) {
    const std::string name = records[k].header;
    records[k].name_bytes.reset();
    // A header must begin with a name that has blanks, so that name_bytes applies.
    if (!name.empty()) {
      records[k].name_bytes = name.size();
      if (!headers[k].starts_with(name)) headers[k] = name + " " + headers[k];
    }
    records[k].header = headers[k];
  }
  return records;
}

void write_alignment_json(const AlignmentText& alignment, TextSink& out) {
  out << "{\n \"accord_version\": " << json_text(ACCORD_VERSION)
      << ",\n \"type\": " << json_text(to_string(alignment.type))
      << ",\n \"columns\": " << std::to_string(alignment.columns) << ",\n \"sequences\": ";
  List sequences(out);
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    sequences.next();
    out << "{\n   \"name\": " << json_text(as_utf8(alignment.whole_name(r)))
        << ",\n   \"header\": " << json_text(as_utf8(alignment.whole_header(r)))
        << ",\n   \"row\": " << json_text(alignment.rows[r]);
    if (alignment.has_codes(r)) {
      out << ",\n   \"posterior_code\": " << json_text(alignment.posterior_codes(r));
    }
    out << "\n  }";
  }
  sequences.end();
  if (!alignment.residue_codes.empty()) {
    out << ",\n \"column_confidence\": ";
    List columns(out);
    for (const float probability : alignment.column_confidence) {
      columns.next();
      out << (std::isnan(probability) ? "null"
                                      : nlohmann::json(std::round(probability * 1e4) / 1e4).dump());
    }
    columns.end();
  }
  out << "\n}\n";
}

}  // namespace accord
