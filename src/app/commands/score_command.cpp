// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <nlohmann/json.hpp>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "app/commands/commands.hpp"
#include "io/families/reference_alignment.hpp"
#include "io/files/output_file.hpp"
#include "tools/scoring.hpp"

namespace accord {
namespace {

/// The options of `accord score`.
struct ScoreOptions {
  enum class Format { tsv, csv, json };
  Format format = Format::tsv;
  bool per_column = false;
  ComputeOptions compute;
};

ScoreOptions::Format parse_score_format(const std::string& text) {
  if (text == "tsv") return ScoreOptions::Format::tsv;
  if (text == "csv") return ScoreOptions::Format::csv;
  if (text == "json") return ScoreOptions::Format::json;
  throw Error(ErrorKind::usage, "--format " + text + ": unknown format", "use tsv, csv or json");
}

std::string join(const std::vector<std::string>& cells, char separator) {
  std::string line;
  for (const std::string& cell : cells) {
    if (!line.empty()) line += separator;
    line += cell;
  }
  return line + '\n';
}

std::string six_digits(double value) { return formatted("%.6f", value); }

/// A header line and a line for the whole, or one per column.
std::string format_table(const std::vector<ColumnScore>& columns, bool per_column, char separator) {
  if (!per_column) {
    const Score score = total_score(columns);
    return join({"SP", "TC", "pairs_correct", "pairs", "columns_correct", "columns"}, separator) +
           join({six_digits(score.sum_of_pairs()), six_digits(score.total_column()),
                 std::to_string(score.correct_pairs), std::to_string(score.reference_pairs),
                 std::to_string(score.correct_columns), std::to_string(score.reference_columns)},
                separator);
  }
  std::string text = join({"column", "residues", "pairs_correct", "pairs", "correct"}, separator);
  for (const ColumnScore& column : columns) {
    text += join({std::to_string(column.column + 1), std::to_string(column.residues),
                  std::to_string(column.correct_pairs), std::to_string(column.pairs()),
                  column.correct() ? "1" : "0"},
                 separator);
  }
  return text;
}

std::string format_json(const std::vector<ColumnScore>& columns, bool per_column,
                        const std::string& test, const std::string& reference) {
  const Score score = total_score(columns);
  nlohmann::ordered_json json = {{"test", test},
                                 {"reference", reference},
                                 {"SP", score.sum_of_pairs()},
                                 {"TC", score.total_column()},
                                 {"pairs_correct", score.correct_pairs},
                                 {"pairs", score.reference_pairs},
                                 {"columns_correct", score.correct_columns},
                                 {"columns", score.reference_columns}};
  if (per_column) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ColumnScore& column : columns) {
      list.push_back({{"column", column.column + 1},
                      {"residues", column.residues},
                      {"pairs_correct", column.correct_pairs},
                      {"pairs", column.pairs()},
                      {"correct", column.correct()}});
    }
    json["per_column"] = std::move(list);
  }
  // Paths may hold any bytes; JSON text may not.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

void run_score(const std::string& test_file, const std::string& reference_file,
               const ScoreOptions& options) {
  const AlignedRows test = read_alignment(test_file);
  const AlignedRows reference = read_reference_alignment(reference_file);
  const std::vector<ColumnScore> columns = score_columns(test, reference);
  switch (options.format) {
    case ScoreOptions::Format::json:
      return write_output("-", format_json(columns, options.per_column, test_file, reference_file));
    case ScoreOptions::Format::csv:
      return write_output("-", format_table(columns, options.per_column, ','));
    case ScoreOptions::Format::tsv:
      return write_output("-", format_table(columns, options.per_column, '\t'));
  }
}

OptionTable score_options(const std::shared_ptr<ScoreOptions>& options) {
  OptionTable table;
  table.push_back(
      {.name = "format",
       .letter = 'f',
       .value = "FORMAT",
       .help = "tsv, csv or json (tsv)",
       .topic = OptionTopic::output,
       .set = [options](const std::string& text) { options->format = parse_score_format(text); }});
  table.push_back({.name = "per-column",
                   .help = "one entry for each scored column, numbered from 1 in REF",
                   .topic = OptionTopic::output,
                   .set = flag_in(options->per_column)});
  add_memory_option(table, options->compute);
  return table;
}

}  // namespace

Command score_command() {
  const auto options = std::make_shared<ScoreOptions>();
  Command command{
      .name = "score",
      .arguments = "TEST REF",
      .summary = "compare an alignment with a reference",
      .description =
          "Prints SP and TC of TEST over the core columns of REF, and the counts behind\n"
          "them: upper-case columns of a FASTA file, all columns of an MSF file, or the\n"
          "core blocks of a BAliBASE XML file. SP (also called Q) is the share of the\n"
          "residue pairs in core columns that TEST aligns, TC the share of the core columns\n"
          "that it has right as a whole.\n"
          "\n"
          "Rows are matched by name, in any order; TEST may have rows that REF does not\n"
          "have. Case does not matter in TEST, U of nucleotides is T, a letter that may stand\n"
          "for several residues (N, X) fits any, '.' and '~' are gaps as '-' is, and columns\n"
          "of gaps alone do not count. A core column that holds a gap (one of BAliBASE's\n"
          "BB20002 does) is scored by its residues: it is right if they stand in one column\n"
          "of TEST, whatever else stands there. A scorer that asks for the gap as well finds\n"
          "a lower TC on such a set. A core column with fewer than two residues is not\n"
          "scored.\n",
      .least_files = 2,
      .most_files = 2,
      .options = score_options(options)};
  command.run = [options](const std::vector<std::string>& files) {
    run_score(files[0], files[1], *options);
  };
  return command;
}

}  // namespace accord
