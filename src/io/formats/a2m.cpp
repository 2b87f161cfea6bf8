// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cctype>

#include "io/files/text_input.hpp"
#include "io/formats/fasta.hpp"
#include "io/formats/format_texts.hpp"

namespace accord {
namespace {

/// A row with match columns in upper case and `-`, the others in lower case and `insert_gap`
/// (0: left out).
std::string marked_row(const std::string& row, const std::vector<bool>& is_match, char insert_gap) {
  std::string marked;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const auto letter = static_cast<unsigned char>(row[c]);
    if (is_match[c]) {
      marked += static_cast<char>(std::toupper(letter));
    } else if (row[c] != '-') {
      marked += static_cast<char>(std::tolower(letter));
    } else if (insert_gap != 0) {
      marked += insert_gap;
    }
  }
  return marked;
}

std::string format_marked(const AlignmentText& alignment, const std::vector<bool>& is_match,
                          char insert_gap, std::size_t wrap) {
  std::string text;
  for (std::size_t r = 0; r < alignment.rows.size(); ++r) {
    text += '>' + alignment.headers[r] + '\n';
    append_wrapped(text, marked_row(alignment.rows[r], is_match, insert_gap), wrap);
  }
  return text;
}

/// The text with everything blank that is no sequence: comments at its start and the rows of
/// secondary structure that HH-suite adds. Lines keep their numbers.
std::string sequences_alone(std::string_view text) {
  constexpr std::array<std::string_view, 6> kOthers = {"ss_pred", "ss_conf", "ss_dssp",
                                                       "sa_dssp", "aa_pred", "aa_dssp"};
  std::string kept;
  bool is_kept = true, is_begun = false;
  for (LineReader reader(text); reader.next();) {
    const std::string_view line = reader.line();
    if (line.starts_with('>')) {
      const std::string_view name = header_name(line.substr(1));
      is_kept = std::find(kOthers.begin(), kOthers.end(), name) == kOthers.end();
      is_begun = true;
    }
    if (is_kept && (is_begun || !line.starts_with('#'))) kept += line;
    kept += '\n';
  }
  return kept;
}

bool is_inserted(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

/// The letters in front of each match column, and behind the last one; those of match columns.
struct MarkedRow {
  std::string matches;
  std::vector<std::string> inserts{""};
};

MarkedRow marked(const std::string& letters) {
  MarkedRow row;
  for (const char c : letters) {
    if (is_inserted(c)) {
      row.inserts.back() += c;
    } else if (c != '.') {
      row.matches += c;
      row.inserts.emplace_back();
    }
  }
  return row;
}

bool have_one_length(const std::vector<SequenceRecord>& records) {
  return std::all_of(records.begin(), records.end(), [&](const SequenceRecord& record) {
    return record.letters.size() == records[0].letters.size();
  });
}

}  // namespace

std::vector<SequenceRecord> parse_marked(std::string_view text, const std::string& label,
                                         OddCharacters* left_out, bool keeps_columns) {
  std::vector<SequenceRecord> records = parse_fasta(sequences_alone(text), label, left_out);
  if (keeps_columns && have_one_length(records)) return records;
  std::vector<MarkedRow> rows;
  std::vector<std::size_t> widest;
  for (const SequenceRecord& record : records) {
    rows.push_back(marked(record.letters));
    const MarkedRow& row = rows.back();
    if (row.matches.size() != rows[0].matches.size()) {
      throw Error(ErrorKind::bad_input,
                  label + ": not A3M: row " + quote(header_name(record.header)) + " has " +
                      std::to_string(row.matches.size()) + " match columns, row " +
                      quote(header_name(records[0].header)) + " has " +
                      std::to_string(rows[0].matches.size()),
                  "upper case and '-' are match columns, as many in each row; --in-format fasta "
                  "reads the sequences");
    }
    widest.resize(row.inserts.size());
    for (std::size_t k = 0; k < widest.size(); ++k) {
      widest[k] = std::max(widest[k], row.inserts[k].size());
    }
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string& letters = records[r].letters;
    letters.clear();
    for (std::size_t k = 0; k < widest.size(); ++k) {
      letters += padded(rows[r].inserts[k], widest[k], '-');
      if (k < rows[r].matches.size()) letters += rows[r].matches[k];
    }
  }
  return records;
}

std::string format_a2m(const AlignmentText& alignment, std::size_t wrap) {
  if (!alignment.match_columns.empty()) {
    return format_marked(alignment, alignment.match_columns, '.', wrap);
  }
  std::vector<bool> is_match(alignment.columns);
  for (std::size_t c = 0; c < alignment.columns; ++c) {
    std::size_t residues = 0;
    for (const std::string& row : alignment.rows) residues += row[c] != '-';
    is_match[c] = 2 * residues >= alignment.rows.size();
  }
  return format_marked(alignment, is_match, '.', wrap);
}

std::string format_a3m(const AlignmentText& alignment, std::size_t wrap) {
  if (!alignment.match_columns.empty()) {
    return format_marked(alignment, alignment.match_columns, 0, wrap);
  }
  std::vector<bool> is_match(alignment.columns);
  for (std::size_t c = 0; c < alignment.columns && !alignment.rows.empty(); ++c) {
    is_match[c] = alignment.rows[0][c] != '-';
  }
  return format_marked(alignment, is_match, 0, wrap);
}

}  // namespace accord
