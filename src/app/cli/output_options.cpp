// SPDX-License-Identifier: Apache-2.0
// Options of the output files.
#include <string_view>

#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "base/log.hpp"
#include "io/files/packing.hpp"

namespace accord {
namespace {

/// The case that a word of --case stands for.
LetterCase parse_case(const std::string& word) {
  if (word == "keep") return LetterCase::keep;
  if (word == "upper") return LetterCase::upper;
  if (word == "lower") return LetterCase::lower;
  if (word == "type") return LetterCase::by_type;
  usage_error("--case " + word + ": unknown word", "use keep, upper, lower or type");
}

}  // namespace

void check_no_page(const std::string& option, const std::string& path) {
  if (lower_case(unknown_suffix(path)) != ".html") return;
  usage_error(option + " " + path + ": a page is not a format of an alignment",
              "--html writes pages");
}

AlignmentFormat format_of_output(const std::string& option, const std::string& path) {
  check_no_page(option, path);
  const AlignmentFormat format = format_of_suffix(path).value_or(AlignmentFormat::fasta);
  if (!is_writable(format)) {
    usage_error(option + " " + path + ": no format that can be written has this suffix",
                (option == "-o" ? "say which with -f, or use a suffix of " : "use a suffix of ") +
                    written_suffixes());
  }
  if (const std::string unknown = unknown_suffix(path); !unknown.empty()) {
    // What is left of x.sto.tmp has a suffix, which may be that of another format.
    const std::string rest(without_packing_suffix(path));
    const std::optional<AlignmentFormat> inner =
        format_of_suffix(std::string_view(rest).substr(0, rest.size() - unknown.size()));
    const bool is_other = inner && *inner != format && is_writable(*inner);
    log_warning(path + ": written as " + std::string(format_name(format)) +
                    ", since no format has " + "the suffix " + unknown,
                option != "-o" ? ""
                : is_other ? "{format=" + std::string(format_name(*inner)) + "} writes that format"
                           : "{format} FORMAT writes another one");
  }
  return format;
}

RunFiles run_files(const OutputOptions& options) {
  std::vector<OutputOptions::Alignment> alignments = options.alignments;
  std::size_t waiting = options.formats.size();
  if (alignments.empty()) {
    alignments.push_back({"-", std::nullopt});
    if (waiting > 0) {
      alignments.back().format = options.formats[0];
      --waiting;
    }
  }
  if (waiting > 0) {
    usage_error("more formats than outputs",
                "give each --format its --out: -o a.fa -o b.sto -f stockholm");
  }
  RunFiles files = options.files;
  for (const OutputOptions::Alignment& alignment : alignments) {
    const AlignmentFormat format =
        alignment.format ? *alignment.format : format_of_output("-o", alignment.path);
    files.alignments.push_back({alignment.path, format});
  }
  return files;
}

void add_format_options(OptionTable& table, OutputOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::output;
  table.push_back({.name = "out",
                   .letter = 'o',
                   .value = "FILE",
                   .help = "write the alignment here (stdout); may be given again; the suffixes "
                           ".gz, .bz2, .xz and .zst compress it",
                   .topic = kTopic,
                   .repeatable = true,
                   .common = true,
                   .brief = "write the alignment here (stdout)",
                   .set = [&values](const std::string& file) {
                     values.alignments.push_back({file, std::nullopt});
                     if (values.formats.empty()) return;
                     values.alignments.back().format = values.formats.front();
                     values.formats.erase(values.formats.begin());
                   }});
  table.push_back({.name = "format",
                   .letter = 'f',
                   .value = "FORMAT",
                   .help = written_suffixes() + " (by the suffix of the output, else fasta)",
                   .topic = kTopic,
                   .repeatable = true,
                   .common = true,
                   .brief = "fasta, clustal, stockholm, phylip, ... (by suffix)",
                   .set = [&values](const std::string& text) {
                     const AlignmentFormat format = parse_format("format", text);
                     if (values.alignments.empty() || values.alignments.back().format) {
                       values.formats.push_back(format);
                     } else {
                       values.alignments.back().format = format;
                     }
                   }});
  add_style_options(table, values.files.wrap, values.files.letter_case);
}

void add_style_options(OptionTable& table, std::optional<std::size_t>& wrap,
                       LetterCase& letter_case) {
  table.push_back({.name = "wrap",
                   .value = "N",
                   .help = "columns per line, 0 for all of them (60; Stockholm: 0)",
                   .topic = OptionTopic::output,
                   .set = [&wrap](const std::string& text) {
                     wrap = static_cast<std::size_t>(parse_count("wrap", text));
                   }});
  table.push_back(
      {.name = "case",
       .value = "CASE",
       .help = "keep, upper or lower; type: proteins in upper case, nucleotides in lower "
               "case, as MAFFT writes them (keep)",
       .topic = OptionTopic::output,
       .set = [&letter_case](const std::string& text) { letter_case = parse_case(text); }});
}

void add_name_map_option(OptionTable& table, std::string& path) {
  table.push_back({.name = "name-map",
                   .value = "FILE",
                   .help = "write the names of 10 characters of phylip-strict here, each with the "
                           "header that it stands for, and its name without blanks (TSV)",
                   .topic = OptionTopic::output,
                   .set = keep_in(path)});
}

void add_track_output_option(OptionTable& table, OutputOptions& values) {
  table.push_back({.name = "track-out",
                   .value = "FILE",
                   .help = "write the aligned tracks here, those of --track or the secondary "
                           "structure of structures (FASTA, ? for unknown)",
                   .topic = OptionTopic::output,
                   .set = keep_in(values.files.track)});
}

void add_structure_output_options(OptionTable& table, OutputOptions& values) {
  table.push_back({.name = "tm-scores",
                   .value = "FILE",
                   .help = "write the TM-scores of all pairs of structures, by their aligned "
                           "residues (TSV)",
                   .topic = OptionTopic::output,
                   .set = keep_in(values.files.tm_scores)});
  table.push_back({.name = "superposed",
                   .value = "FILE",
                   .help = "write all structures, superposed onto the one with the highest mean "
                           "TM-score (.pdb or .cif)",
                   .topic = OptionTopic::output,
                   .set = keep_in(values.files.superposed)});
}

void add_alignment_options(OptionTable& table, OutputOptions& values) {
  add_format_options(table, values);
  table.push_back({.name = "confidence",
                   .value = "FILE",
                   .help = "write confidence of columns and residues (TSV)",
                   .topic = OptionTopic::output,
                   .set = keep_in(values.files.confidence)});
}

void add_output_options(OptionTable& table, OutputOptions& values) {
  constexpr OptionTopic kTopic = OptionTopic::output;
  add_alignment_options(table, values);
  add_page_option(table, values.files.html);
  add_multiqc_option(table, "one row about the run", values.files.multiqc);
  add_name_map_option(table, values.files.name_map);
  table.push_back({.name = "order",
                   .value = "ORDER",
                   .help = "rows as in the input, or along the guide tree: input or tree (input)",
                   .topic = kTopic,
                   .set = choice_in(values.files.tree_order, "order", "input", "tree")});
  table.push_back({.name = "tree-out",
                   .value = "FILE",
                   .help = "write the guide tree here (Newick)",
                   .topic = kTopic,
                   .set = keep_in(values.files.tree)});
  table.push_back({.name = "dist-out",
                   .value = "FILE",
                   .help = "write the distances here (PHYLIP)",
                   .topic = kTopic,
                   .set = keep_in(values.files.distances)});
  add_report_option(table, values.files.report);
}

void add_multiqc_option(OptionTable& table, const std::string& rows, std::string& path) {
  table.push_back({.name = "multiqc",
                   .value = "FILE",
                   .help = "write a table with " + rows + " for MultiQC; name it NAME_mqc.tsv",
                   .topic = OptionTopic::output,
                   .set = keep_in(path)});
}

void add_page_option(OptionTable& table, std::string& path) {
  table.push_back({.name = "html",
                   .value = "FILE",
                   .help = "write a page that shows the alignment in a browser",
                   .topic = OptionTopic::output,
                   .common = true,
                   .set = keep_in(path)});
}

void add_text_output_option(OptionTable& table, const std::string& what, std::string& path) {
  table.push_back({.name = "out",
                   .letter = 'o',
                   .value = "FILE",
                   .help = "write " + what + " here (-, which is stdout)",
                   .topic = OptionTopic::output,
                   .common = true,
                   .set = keep_in(path)});
}

void add_identity_option(OptionTable& table, std::optional<IdentityOver>& over) {
  table.push_back(
      {.name = "identity-over",
       .value = "WHAT",
       .help = "what identical pairs are divided by: aligned (columns in which both "
               "rows have a residue), shorter (residues of the row that has fewer), or "
               "columns (those in which at least one has a residue) (aligned)",
       .topic = OptionTopic::output,
       .common = true,
       .set = [&over](const std::string& text) { over = identity_over(text, "--identity-over"); }});
}

std::string describe_identity() {
  return "The identity of two rows is the number of columns in which both have the same letter, "
         "in either case, U as T in nucleotides, over the number of columns in which both have a "
         "residue; --identity-over shorter divides by the residues of the row that has fewer, "
         "--identity-over columns by the columns in which at least one has a residue. A letter "
         "that may stand for several residues (N, X, R, B, ...) is unknown: a column in which "
         "one of the two rows has it counts nowhere. NA: there is nothing to divide by.";
}

void add_report_option(OptionTable& table, std::string& path) {
  table.push_back({.name = "report",
                   .value = "FILE",
                   .help = "write a report of the run here (JSON)",
                   .topic = OptionTopic::output,
                   .set = keep_in(path)});
}

}  // namespace accord
