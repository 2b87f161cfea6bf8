// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/outputs/run_outputs.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/output_file.hpp"
#include "run/alignment_stages.hpp"
#include "run/codon_run.hpp"
#include "run/report/result_page.hpp"

namespace accord {
namespace {

struct CodonOptions : RunOptions {
  OutputOptions output;
  CodingOptions coding;
  std::string protein, protein_output;
  MethodOptions method;
};

/// The outputs of the alignment of the codons, its page included. `mean`: the mean confidence of
/// the proteins; NaN: unknown. `text` must outlive the outputs.
std::vector<Output> codon_outputs(const AlignmentText& text, const FamilyInput& input, double mean,
                                  const RunFiles& files, const CodingOptions& coding) {
  std::vector<Output> outputs = outputs_of(text, files);
  if (!files.html.empty()) {
    PageParts parts{.title = page_title(input), .mean = mean};
    parts.is_confidence_of_trim = false;
    parts.translation = coding.code ? std::to_string(*coding.code) : "own";
    outputs.push_back(make_output(files.html, page_of(text, input.set, std::move(parts))));
  }
  return outputs;
}

/// Writes the alignment of the codons, and, if the options ask for it, that of the proteins.
void write_codons(const run::CodonAlignment& made, const FamilyInput& input,
                  const CodonOptions& options, const RunFiles& files) {
  const std::optional<Confidence>& confidence = made.aligned.confidence;
  std::vector<Output> outputs = codon_outputs(
      made.codon_text, input, confidence ? confidence->mean : std::nan(""), files, options.coding);
  if (!options.protein_output.empty()) {
    const std::string& path = options.protein_output;
    const AlignmentFormat format = format_of_suffix(path).value_or(AlignmentFormat::fasta);
    outputs.insert(outputs.begin(), make_output(path, format_alignment(made.protein_text, format)));
  }
  write_outputs(std::move(outputs));
}

void check_options(const CodonOptions& options) {
  if (!options.protein_output.empty()) format_of_output("--protein-out", options.protein_output);
  if (options.protein.empty()) return;
  run::check_coding_along(options.coding);
  if (!options.protein_output.empty()) {
    usage_error("--protein-out with --protein: the proteins are aligned already",
                "leave out one of them");
  }
}

void run_codon(const CodonOptions& options) {
  check_options(options);
  const RunFiles files = run_files(options.output);
  std::vector<std::string> inputs = input_files(options, options.method);
  inputs.push_back(options.protein);
  std::vector<std::string> outputs = paths_of(files);
  outputs.push_back(options.protein_output);
  start_run(options, inputs, outputs);
  FamilySource source = options.input;
  source.reading.takes_coding = true;
  const FamilyInput input = read_family(source, false, FamilyUse::alignment);
  if (!options.protein.empty()) {
    FamilySource reading;
    reading.type = ResidueType::protein;
    reading.reading.lenient = options.input.reading.lenient;
    const AlignmentText threaded = run::codon_along(
        input, options.coding, read_aligned(options.protein, reading), files.letter_case);
    return write_outputs(codon_outputs(threaded, input, std::nan(""), files, options.coding));
  }
  AlignSettings settings = make_settings(options.method, ResidueType::protein);
  settings.confidence = needs_confidence(files);
  constexpr double kCellsOfGenes = 9;  // for each cell of their proteins
  RunDevices devices = open_devices(options, first_stages(options.method),
                                    input_seconds(options.input) / kCellsOfGenes);
  const run::CodonAlignment made = with_progress(
      options, devices,
      [&](const RunContext& context) {
        return run::codon(input, options.coding, settings, files.letter_case, context);
      },
      nullptr);
  write_codons(made, input, options, files);
}

void add_codon_options(OptionTable& table, CodonOptions& options) {
  add_code_option(table, options.coding.code);
  add_common_option(
      table, "protein", "FILE",
      "thread the sequences through this alignment of their proteins, whichever program made it",
      OptionTopic::method, keep_in(options.protein));
  table.back().dash = Dash::input;
  add_common_option(
      table, "frame", "WHICH",
      "the base that whole codons begin with, 1, 2 or 3, or auto: that of each sequence with the "
      "fewest stops inside (1, or what the input says)",
      OptionTopic::method,
      [&options](const std::string& text) { set_frame(options.coding, text, "--frame"); });
  add_common_option(
      table, "frameshifts", "",
      "find frameshifts, by the closest sequences without stops inside, and mark them with '!'",
      OptionTopic::method, flag_in(options.coding.finds_frameshifts));
  add_common_option(
      table, "stops", "WHAT",
      "keep or drop the stop codons at the ends (keep; with --protein those that are '*' there)",
      OptionTopic::method,
      [&options](const std::string& text) { set_stops(options.coding, text, "--stops"); });
  add_common_option(table, "protein-out", "FILE", "write the alignment of the proteins here",
                    OptionTopic::output, keep_in(options.protein_output));
}

}  // namespace

Command codon_command() {
  const auto options = std::make_shared<CodonOptions>();
  Command command{
      .name = "codon",
      .arguments = "IN...",
      .summary = "align coding DNA through its translation",
      .description =
          "Translates the coding sequences of IN, aligns the proteins, and writes the alignment of "
          "the codons. Every base is kept; an incomplete first or last codon is filled up with "
          "gaps. Warnings tell of stops inside a sequence, of a length that is not a multiple of "
          "3, and of another frame without stops; a stop is aligned as an unknown residue, as an "
          "incomplete codon is. 'accord help codes' lists the genetic codes.\n"
          "\n"
          "Of GenBank and EMBL the coding sequences (CDS) are taken, with the frame and the code "
          "that they name; so are [frame=2] and [transl_table=4] in the headers of FASTA. --frame "
          "and --code overrule them.\n"
          "\n"
          "--frameshifts reads each sequence that has stops inside, or a length that is not a "
          "multiple of 3, along the protein of the closest sequence without. A sequence without is "
          "read so only if its frame shifts along both of the two closest others. A codon that a "
          "frameshift left one or two bases has '!' in place of the others, and is X in the "
          "protein (--protein-out). --lenient lets the other commands read '!' as a gap.\n"
          "\n"
          "--protein threads the sequences through a given alignment of their proteins. A gene is "
          "named as its protein, and may have more bases at either end. Warnings name residues "
          "that are not those of their codons; it is an error if less than half of the "
          "residues of a gene fit.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_format_options(command.options, options->output);
  add_page_option(command.options, options->output.files.html);
  add_name_map_option(command.options, options->output.files.name_map);
  add_codon_options(command.options, *options);
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_codon);
  return command;
}

}  // namespace accord
