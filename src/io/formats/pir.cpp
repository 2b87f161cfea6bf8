// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "io/files/text_input.hpp"
#include "io/formats/format_texts.hpp"
#include "io/formats/record_builder.hpp"

namespace accord {
namespace {

constexpr std::size_t kMarkLetters = 4;  // ">P1;"

Error unended(const std::string& label, std::string_view name) {
  return Error(ErrorKind::bad_input, label + ": sequence " + quote(name) + " has no '*' at its end",
               "below '>P1;NAME' stands a line with a title, which may be empty, then the letters; "
               "was the file cut off?");
}

}  // namespace

bool looks_like_pir(std::string_view line) {
  constexpr std::array<std::string_view, 9> kTypes = {"P1", "F1", "DL", "DC", "RL",
                                                      "RC", "N1", "N3", "XX"};
  if (line.size() < kMarkLetters || line[0] != '>' || line[kMarkLetters - 1] != ';') return false;
  return std::find(kTypes.begin(), kTypes.end(), line.substr(1, 2)) != kTypes.end();
}

bool is_pir_comment(std::string_view line) {
  return line.starts_with("C;") || line.starts_with("R;");
}

std::optional<ResidueType> pir_type(std::string_view text) {
  LineReader reader(text);
  while (reader.next() && !trimmed(reader.line()).starts_with('>')) {
  }
  const std::string_view line = trimmed(reader.line());
  if (!looks_like_pir(line)) return std::nullopt;
  if (line[1] == 'P' || line[1] == 'F') return ResidueType::protein;
  if (line[1] == 'R' || line[1] == 'N') return ResidueType::rna;  // RNA, including N1 and N3
  return line[1] == 'X' ? std::nullopt : std::optional(ResidueType::dna);
}

std::vector<SequenceRecord> parse_pir(std::string_view text, const std::string& label,
                                      OddCharacters* left_out) {
  RecordBuilder builder(label, left_out);
  std::vector<std::string_view> descriptions;
  enum class Place { between, title, letters } place = Place::between;
  std::string_view name;
  for (LineReader reader(text); reader.next();) {
    const std::string_view line = trimmed(reader.line());
    if (line.starts_with('>')) {
      if (place != Place::between) throw unended(label, name);
      if (!looks_like_pir(line)) {
        throw line_error(label, reader.number(), "not PIR: expected '>P1;NAME'",
                         "'>' and a type, such as P1 or DL, then ';' and the name");
      }
      name = trimmed(line.substr(kMarkLetters));
      if (!builder.add(name)) throw two_rows_error(label, reader.number(), name);
      place = Place::title;
    } else if (place == Place::title) {
      descriptions.push_back(line);
      place = Place::letters;
    } else if (place == Place::letters) {
      // The letters end with a '*'; the rest is a comment.
      const std::size_t end = line.find('*');
      builder.append(name, line.substr(0, end), reader.number());
      if (end != line.npos) place = Place::between;
    } else if (builder.size() == 0 && !line.empty() && !is_pir_comment(line)) {
      throw line_error(label, reader.number(), "not PIR: expected '>P1;NAME'");
    }
  }
  if (place != Place::between) throw unended(label, name);
  std::vector<SequenceRecord> records = builder.finish();
  for (std::size_t k = 0; k < descriptions.size(); ++k) {
    if (!descriptions[k].empty()) records[k].header.append(1, ' ').append(descriptions[k]);
  }
  return records;
}

}  // namespace accord
