// SPDX-License-Identifier: Apache-2.0
#include "app/commands/ensemble_options.hpp"

#include "app/cli/option_values.hpp"
#include "base/paths.hpp"

namespace accord {
namespace {

bool is_folder(const std::string& path) { return path.ends_with('/') || is_directory(path); }

void add_alignment_options(OptionTable& table, EnsembleCommandOptions& options) {
  constexpr OptionTopic kTopic = OptionTopic::output;
  table.push_back({.name = "out",
                   .letter = 'o',
                   .value = "FILE",
                   .help = "write the replicates here (stdout), as EFA; DIR/, with the slash, or a "
                           "directory gets a file for each replicate",
                   .topic = kTopic,
                   .common = true,
                   .brief = "write the replicates here, EFA, or DIR/ (stdout)",
                   .set = keep_in(options.files.path)});
  table.push_back({.name = "format",
                   .letter = 'f',
                   .value = "FORMAT",
                   .help = "efa for all replicates in one file; of the files in DIR/, or of "
                           "--concatenate: " +
                           writable_formats() + " (fasta, or by the suffix of the output)",
                   .topic = kTopic,
                   .common = true,
                   .brief = "of the files in DIR/, or of --concatenate (fasta)",
                   .set = [&options](const std::string& text) {
                     options.is_efa = text == "efa";
                     options.format = options.is_efa ? std::nullopt
                                                     : std::optional(parse_format("format", text));
                   }});
  add_common_option(table, "concatenate", "",
                    "write one alignment with the columns of all replicates, one after the other",
                    kTopic, flag_in(options.concatenates));
  add_style_options(table, options.files.wrap, options.files.upper_case);
}

/// Refuses a name or a format of one alignment for all replicates in one file.
void check_efa(const EnsembleCommandOptions& options) {
  const std::string hint = "use -o DIR/ for a file for each replicate, or --concatenate";
  if (options.format) {
    usage_error("--format " + std::string(format_name(*options.format)) +
                    ": replicates in one file are EFA",
                hint);
  }
  check_no_page("-o", options.files.path);
  const std::optional<AlignmentFormat> by_suffix = format_of_suffix(options.files.path);
  if (options.is_efa || !by_suffix) return;
  usage_error("-o " + options.files.path + ": replicates in one file are EFA, not " +
                  std::string(format_name(*by_suffix)),
              hint + ", or -f efa");
}

}  // namespace

void add_ensemble_options(OptionTable& table, EnsembleCommandOptions& options) {
  table.push_back({.name = "replicates",
                   .letter = 'n',
                   .value = "N",
                   .help = "how many alignments to make, from 1 to 1000 (16)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = [&options](const std::string& text) {
                     options.ensemble.replicates =
                         static_cast<std::size_t>(parse_count("replicates", text, 1));
                   }});
  add_common_option(table, "seed", "N",
                    "seed of the random numbers; with another one, all replicates but the first "
                    "have other parameters and trees (1)",
                    OptionTopic::method, count_in(options.ensemble.seed, "seed"));
  add_alignment_options(table, options);
  add_page_option(table, options.files.html);
  add_name_map_option(table, options.files.name_map);
  constexpr OptionTopic kTopic = OptionTopic::output;
  table.push_back({.name = "replicates-out",
                   .value = "FILE",
                   .help = "write a table of the replicates: agreement with the others, which one "
                           "agrees best, and the factors of its parameters (TSV)",
                   .topic = kTopic,
                   .set = keep_in(options.files.replicates)});
  table.push_back({.name = "columns-out",
                   .value = "FILE",
                   .help = "write, for each column of each replicate, the share of the replicates "
                           "that have the same column (TSV)",
                   .topic = kTopic,
                   .set = keep_in(options.files.columns)});
  add_report_option(table, options.files.report);
}

EnsembleFiles ensemble_files(const EnsembleCommandOptions& options) {
  EnsembleFiles files = options.files;
  if (options.is_efa && (options.concatenates || is_folder(files.path))) {
    usage_error("--format efa: all replicates are in one file", "leave it out, or use -o FILE.efa");
  }
  if (options.concatenates) {
    files.form = EnsembleForm::concatenated;
    if (is_folder(files.path)) {
      usage_error("--concatenate into the folder " + files.path + ": it writes one alignment",
                  "name a file with -o");
    }
    files.format = options.format ? *options.format : format_of_output("-o", files.path);
    return files;
  }
  if (is_folder(files.path)) {
    files.form = EnsembleForm::folder;
    files.format = options.format.value_or(AlignmentFormat::fasta);
    return files;
  }
  check_efa(options);
  return files;
}

}  // namespace accord
