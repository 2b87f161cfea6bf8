// SPDX-License-Identifier: Apache-2.0
#include "app/names/mafft_files.hpp"

#include <charconv>
#include <map>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/families/sequence_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// The fields of a line, without the blanks between them and a comment behind `#`.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  line = line.substr(0, line.find('#'));
  while (!is_blank(line)) fields.push_back(take_word(line));
  return fields;
}

/// The number of a row, from 1 to `rows`.
/// Throws  Error{bad_input}
std::size_t row_number(std::string_view field, std::size_t rows, const std::string& file) {
  std::size_t row = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), row);
  if (error == std::errc() && end == field.data() + field.size() && row >= 1 && row <= rows) {
    return row;
  }
  throw Error(
      ErrorKind::bad_input,
      file + ": '" + std::string(field) + "' is no row of an input of " + counted(rows, "sequence"),
      "rows are numbered from 1");
}

/// A label of Newick.
std::string quoted(std::string_view name) {
  std::string label = "'";
  for (const char c : name) label += c == '\'' ? std::string("''") : std::string(1, c);
  return label + "'";
}

std::string fasta_of(const SequenceRecord& record) {
  return '>' + record.header + '\n' + record.letters + '\n';
}

/// The groups of the table, each with the rows of one alignment in the order of the input, single
/// sequences included; groups are in the order of their first rows.
std::vector<std::vector<std::size_t>> groups_of(const std::string& table, std::size_t rows) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> is_in_group(rows + 1);
  const std::string text = read_text(table);
  for (const std::string_view line : split(text, '\n')) {
    std::vector<std::size_t> group;
    for (const std::string_view field : fields_of(line)) {
      const std::size_t row = row_number(field, rows, table);
      if (is_in_group[row]) {
        throw Error(ErrorKind::bad_input, table + ": row " + std::to_string(row) + " twice",
                    "a sequence is in one alignment");
      }
      is_in_group[row] = true;
      group.push_back(row);
    }
    if (!group.empty()) groups.push_back(std::move(group));
  }
  for (std::size_t row = 1; row <= rows; ++row) {
    if (!is_in_group[row]) groups.push_back({row});
  }
  return groups;
}

}  // namespace

CommandPlan plan_mafft_merge(const std::string& input, const std::string& table,
                             const std::vector<std::string>& options) {
  const std::vector<SequenceRecord> records = records_of(read_text(input), input_label(input));
  CommandPlan plan;
  std::vector<std::string> files;
  std::size_t next = 1;
  for (const std::vector<std::size_t>& group : groups_of(table, records.size())) {
    std::string text;
    for (const std::size_t row : group) {
      if (row != next++) {
        throw Error(ErrorKind::bad_input,
                    table + ": row " + std::to_string(row) +
                        " is not where the order of the alignments has it",
                    "put the alignments behind one another in the input, single sequences last");
      }
      text += fasta_of(records[row - 1]);
    }
    plan.files.emplace_back();
    files.push_back(plan.files.back().path());
    write_output(files.back(), std::move(text));
  }
  plan.commands.push_back(command_line("merge", options, files));
  return plan;
}

std::string mafft_tree_file(const std::string& tree, const std::string& input, CommandPlan& plan) {
  const std::string text = read_text(tree);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool is_in_columns = begin != text.npos && text[begin] >= '0' && text[begin] <= '9';
  if (!is_in_columns) return tree;
  if (input == "-") {
    throw Error(ErrorKind::usage, tree + " has numbers of sequences, and the input is stdin",
                "name the input, or give the tree as Newick");
  }
  const std::vector<SequenceRecord> records = records_of(read_text(input), input_label(input));
  const std::size_t rows = records.size();
  std::map<std::size_t, std::string> clusters;  // by their first sequence
  for (std::size_t row = 1; row <= rows; ++row) clusters[row] = quoted(records[row - 1].name());
  for (const std::string_view line : split(text, '\n')) {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.empty()) continue;
    constexpr std::size_t kColumns = 4;
    const std::string what = tree + ": '" + std::string(line) + "' joins no two clusters";
    if (fields.size() < kColumns) {
      throw Error(ErrorKind::bad_input, what, "a line has two numbers and two lengths");
    }
    const auto first = clusters.find(row_number(fields[0], rows, tree));
    const auto second = clusters.find(row_number(fields[1], rows, tree));
    if (first == clusters.end() || second == clusters.end() || first == second) {
      throw Error(ErrorKind::bad_input, what,
                  "the number of a cluster is that of its first sequence");
    }
    first->second = "(" + first->second + ":" + std::string(fields[2]) + "," + second->second +
                    ":" + std::string(fields[3]) + ")";
    clusters.erase(second);
  }
  plan.files.emplace_back();
  std::string path = plan.files.back().path();
  write_output(path, clusters.begin()->second + ";\n");
  return path;
}

}  // namespace accord
