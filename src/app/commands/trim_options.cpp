// SPDX-License-Identifier: Apache-2.0
#include "app/commands/trim_options.hpp"

#include <charconv>

#include "app/cli/option_values.hpp"

namespace accord {
namespace {

/// A share of 0 to 1 for an option.
double parse_share(const std::string& option, const std::string& text) {
  double value = -1;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || !(value >= 0 && value <= 1)) {
    usage_error("--" + option + " " + text + ": no share", "use a number of 0 to 1, such as 0.5");
  }
  return value;
}

std::function<void(const std::string&)> share_in(std::optional<double>& target,
                                                 const char* option) {
  return [&target, option](const std::string& text) { target = parse_share(option, text); };
}

void add_selections(OptionTable& table, TrimOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::method;
  table.push_back(
      {.name = "columns",
       .value = "LIST",
       .help = "keep only these columns, numbered from 1: 5-90, or 5-90,120- (all)",
       .topic = kTopic,
       .common = true,
       .set = [&values](const std::string& text) { values.request.ranges = parse_columns(text); }});
  table.push_back({.name = "by-row",
                   .value = "ROW",
                   .help = "keep only the columns in which this row has a residue: its name, or "
                           "'first' for the first row",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.request.row)});
  table.push_back({.name = "max-row-gaps",
                   .value = "X",
                   .help = "leave out rows that have a gap in a larger share of these columns, "
                           "before columns are judged (1)",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.most_row_gaps, "max-row-gaps")});
}

void add_criteria(OptionTable& table, TrimOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::method;
  table.push_back({.name = "max-gaps",
                   .value = "X",
                   .help = "leave out columns in which a larger share of the rows has a gap (0.9; "
                           "1 with other options that choose columns or rows)",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.most_gaps, "max-gaps")});
  table.push_back({.name = "min-confidence",
                   .value = "X",
                   .help = "leave out columns of less confidence, and those of a single residue",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.least_confidence, "min-confidence")});
  table.push_back({.name = "min-consistency",
                   .value = "X",
                   .help = "leave out columns if the alignments of --among have a smaller "
                           "share of the pairs, and those of a single residue",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.least_consistency, "min-consistency")});
  table.push_back({.name = "among",
                   .value = "FILE",
                   .help = "another alignment of these sequences, for --min-consistency; may be "
                           "given again",
                   .topic = OptionTopic::input,
                   .repeatable = true,
                   .common = true,
                   .dash = Dash::input,
                   .set = [&values](const std::string& file) { values.others.push_back(file); }});
  table.push_back({.name = "ends",
                   .help = "leave out columns at the two ends alone, up to the first that passes",
                   .topic = kTopic,
                   .common = true,
                   .set = flag_in(values.request.ends_only)});
  table.push_back({.name = "codons",
                   .help = "three columns are a codon, which stays or goes as a whole",
                   .topic = kTopic,
                   .common = true,
                   .set = flag_in(values.request.whole_codons)});
  table.push_back({.name = "mask",
                   .value = "X",
                   .help = "write residues of less confidence in lower case, all others in upper "
                           "case",
                   .topic = kTopic,
                   .common = true,
                   .set = share_in(values.request.mask, "mask")});
}

void add_outputs(OptionTable& table, TrimOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::output;
  table.push_back({.name = "keep-names",
                   .help = "leave numbers in names such as NAME/12-80 as they are; else they are "
                           "those of the residues that are left",
                   .topic = kTopic,
                   .set = flag_in(values.request.keeps_names)});
  table.push_back({.name = "complement",
                   .value = "FILE",
                   .help = "write the columns that are left out here, in the format of the suffix",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.complement)});
  table.push_back({.name = "map",
                   .value = "FILE",
                   .help = "write the number of each column before and after here, and why it went "
                           "(TSV)",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.map)});
  table.push_back({.name = "left-out",
                   .value = "FILE",
                   .help = "write rows and ranges of columns that went here, and why (TSV)",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.left_out)});
  table.push_back({.name = "html",
                   .value = "FILE",
                   .help = "write a page that shows the whole alignment, with the columns faded "
                           "that go",
                   .topic = kTopic,
                   .common = true,
                   .set = keep_in(values.page)});
}

}  // namespace

void add_trim_options(OptionTable& table, TrimOptions& values) {
  add_selections(table, values);
  add_criteria(table, values);
  add_outputs(table, values);
}

}  // namespace accord
