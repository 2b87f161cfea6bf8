// SPDX-License-Identifier: Apache-2.0
#include "io/families/shard_text.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "accord/base/error.hpp"

namespace accord {
namespace {

constexpr std::string_view kMark = "#accord ", kChecksum = ";sha256 ";
constexpr std::string_view kNameBytes = "name=";

/// Appends a number with the fewest digits from which the same number is read back.
template <class Number>
void append_number(std::string& text, Number number) {
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

/// Removes a number from the beginning of a text and returns true, or returns false if there is
/// none.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Removes a character from the beginning of a text; returns false if the text begins with another
/// one.
bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

/// Removes the first line, including its end, from a text and returns it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string what_makes(std::string_view kind) {
  return kind == "core" ? "'accord core' makes one" : "'accord add' makes one with {shard}";
}

}  // namespace

ShardTextWriter::ShardTextWriter(TextSink& out, std::string_view header) : out_(out) {
  put(kMark);
  put(header);
  put("\n");
}

void ShardTextWriter::put(std::string_view part) {
  hash_.add(part);
  out_ << part;
}

void ShardTextWriter::add(const SequenceRecord& record, std::string_view note) {
  std::string lines = ">" + record.header + "\n" + record.letters + "\n;";
  lines += note;
  if (record.name_bytes) {
    lines += std::string(note.empty() ? "" : " ") + std::string(kNameBytes);
    append_number(lines, *record.name_bytes);
  }
  put(lines += '\n');
}

void ShardTextWriter::finish() { out_ << kChecksum << hash_.digits() << '\n'; }

ShardText::ShardText(const std::string& path, std::string_view kind) : label_(input_label(path)) {
  std::string bytes = read_bytes(path);
  file_ = {path, bytes.size(), sha256(bytes)};
  text_ = unpacked(std::move(bytes), label_);
  rest_ = text_;
  if (!rest_.starts_with(kMark)) {
    throw error("no " + std::string(kind) + " of a family in shards", what_makes(kind));
  }
  header_ = take_line(rest_);
  header_.remove_prefix(kMark.size());
  const auto json = nlohmann::json::parse(header_, nullptr, false);
  const auto word = [&](const char* key) {
    const auto found = json.is_object() ? json.find(key) : json.end();
    return found != json.end() && found->is_string() ? found->get<std::string>() : "";
  };
  if (json.is_discarded() || word("kind").empty()) throw error("the first line is damaged", kAgain);
  if (word("accord") != ACCORD_VERSION) {
    throw error("made by accord " + word("accord") + ", but this is accord " ACCORD_VERSION,
                "make the core, its parts and the whole with one version");
  }
  if (word("kind") != kind) {
    throw error("a " + word("kind") + ", not a " + std::string(kind), what_makes(kind));
  }
  const std::size_t last = text_.rfind('\n', text_.size() - 2) + 1;
  std::string_view end = std::string_view(text_).substr(last);
  if (!text_.ends_with('\n') || !end.starts_with(kChecksum)) throw error("cut off", kAgain);
  checksum_ = trimmed(end.substr(kChecksum.size()));
  if (sha256(std::string_view(text_).substr(0, last)) != checksum_) {
    throw error("damaged: its checksum is another one", kAgain);
  }
  rest_.remove_suffix(end.size());
}

bool ShardText::next(SequenceRecord& record, std::string_view& note) {
  if (rest_.empty()) return false;
  std::string_view header = take_line(rest_);
  const std::string_view letters = take_line(rest_);
  note = take_line(rest_);
  if (!take(header, '>') || !take(note, ';'))
    throw error("no record of a family in shards", kAgain);
  record = {std::string(header), std::string(letters)};
  const std::size_t at = note.rfind(kNameBytes);
  if (at == note.npos) return true;
  std::string_view digits = note.substr(at + kNameBytes.size());
  std::size_t bytes = 0;
  if (!take_number(digits, bytes) || bytes > header.size()) throw error("a damaged name", kAgain);
  record.name_bytes = bytes;
  note = trimmed(note.substr(0, at));
  return true;
}

Error ShardText::error(const std::string& problem, const std::string& hint) const {
  return Error(ErrorKind::bad_input, label_ + ": " + problem, hint);
}

std::string format_columns(std::span<const std::uint32_t> column, std::uint32_t columns) {
  std::string runs;
  std::size_t count = 0;
  char kind = 'M';
  const auto add = [&](char c, std::size_t times) {
    if (times == 0) return;
    if (c != kind && count > 0) {
      append_number(runs, count);
      runs += kind;
      count = 0;
    }
    kind = c;
    count += times;
  };
  std::uint32_t next = 0;  // column
  for (const std::uint32_t c : column) {
    if (c == kInserted) {
      add('I', 1);
    } else {
      add('D', c - next);
      add('M', 1);
      next = c + 1;
    }
  }
  add('D', columns - next);
  add('\0', 1);  // ends the last run
  return runs;
}

std::vector<std::uint32_t> parse_columns(std::string_view runs, std::size_t residues,
                                         std::uint32_t columns, const ShardText& text) {
  std::vector<std::uint32_t> column;
  column.reserve(residues);
  std::size_t next = 0;  // column
  const auto refuse = [&] { throw text.error("columns that do not fit the sequence", kAgain); };
  while (!runs.empty()) {
    std::size_t count = 0;
    if (!take_number(runs, count) || count > std::size_t{residues} + columns || runs.empty()) {
      refuse();
    }
    const char kind = runs.front();
    runs.remove_prefix(1);
    if (kind != 'M' && kind != 'I' && kind != 'D') refuse();
    for (std::size_t k = 0; k < count && kind != 'D'; ++k) {
      column.push_back(kind == 'M' ? static_cast<std::uint32_t>(next + k) : kInserted);
    }
    if (kind != 'I') next += count;
  }
  if (column.size() != residues || next != columns) refuse();
  return column;
}

std::string format_placement(const PlacedSequence& placed, std::uint32_t columns) {
  std::string note = format_columns(placed.column, columns);
  append_number(note += ' ', placed.accuracy);
  append_number(note += ' ', placed.nearest);
  append_number(note += ' ', placed.distance);
  char between = ' ';
  for (const PlacedResidue& residue : placed.residues) {
    append_number(note += between, residue.pairs);
    append_number(note += ':', residue.units);
    between = ',';
  }
  return note;
}

PlacedSequence parse_placement(std::string_view note, std::size_t residues, std::uint32_t columns,
                               std::size_t members, const ShardText& text) {
  PlacedSequence placed;
  placed.column = parse_columns(take_word(note), residues, columns, text);
  const bool is_read = take(note, ' ') && take_number(note, placed.accuracy) && take(note, ' ') &&
                       take_number(note, placed.nearest) && take(note, ' ') &&
                       take_number(note, placed.distance);
  if (!is_read || placed.nearest >= members) throw text.error("a damaged placement", kAgain);
  for (char between = ' '; !note.empty(); between = ',') {
    PlacedResidue& residue = placed.residues.emplace_back();
    if (!take(note, between) || !take_number(note, residue.pairs) || !take(note, ':') ||
        !take_number(note, residue.units)) {
      throw text.error("a damaged placement", kAgain);
    }
  }
  if (!placed.residues.empty() && placed.residues.size() != residues) {
    throw text.error("a damaged placement", kAgain);
  }
  return placed;
}

void FamilyDigest::add(const SequenceRecord& record) {
  hash_.add(record.header + "\n" + record.letters + "\n");
}

}  // namespace accord
