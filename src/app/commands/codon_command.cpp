// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/codon_threading.hpp"
#include "app/commands/commands.hpp"
#include "app/estimate/estimate.hpp"
#include "app/report/run_outputs.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "io/coding_features.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "tools/codons.hpp"
#include "tools/frameshifts.hpp"

namespace accord {
namespace {

struct CodonOptions : RunOptions {
  OutputOptions output;
  std::optional<int> code;
  std::optional<int> frame;  ///< the first base of a whole codon, 1 to 3; not set: as `finds_frame`
  bool finds_frame = false, finds_frameshifts = false;
  std::optional<bool> keeps_stops;
  std::string protein, protein_output;
  MethodOptions method;
};

/// The code of the options, else that of the header.
GeneticCode code_of(const SequenceRecord& record, const CodonOptions& options) {
  if (options.code) return GeneticCode(*options.code);
  const int number = header_number(record.header, "transl_table").value_or(1);
  try {
    return GeneticCode(number);
  } catch (const Error& error) {
    throw Error(ErrorKind::bad_input, quote(record.name()) + ": " + error.what(),
                "--code names another for all; " + error.hint());
  }
}

/// The genes in input order, with the codes and first codons of the options, else of the headers.
std::vector<Gene> genes_of(const SequenceSet& set, const CodonOptions& options) {
  std::vector<Gene> genes;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const SequenceRecord& record = set.record(set.from_input(k));
    Gene gene{record, 0, code_of(record, options)};
    const int frame = header_number(record.header, "frame").value_or(1);
    if (frame == 2 || frame == 3) gene.incomplete = static_cast<std::size_t>(frame) - 1;
    if (options.frame) gene.incomplete = static_cast<std::size_t>(*options.frame) - 1;
    if (options.finds_frame) gene.incomplete = open_frame(record.letters, gene.code);
    genes.push_back(std::move(gene));
  }
  return genes;
}

/// Says what is odd about the codons of each gene.
void warn_of_frames(const std::vector<Gene>& genes, const std::vector<CodingSequence>& sequences,
                    const std::string& label) {
  for (std::size_t k = 0; k < genes.size(); ++k) {
    const std::string who = label + ": " + quote(genes[k].record.name()) + ": ";
    const std::vector<std::size_t>& shifts = sequences[k].frameshifts;
    if (!shifts.empty()) {
      const std::vector<std::size_t>& stops = sequences[k].inner_stops;
      log_warning(who + std::to_string(shifts.size()) +
                  (shifts.size() == 1 ? " frameshift" : " frameshifts") +
                  ", marked with '!', at codon " + listed_numbers(shifts) +
                  (stops.empty() ? "" : "; stops inside at codon " + listed_numbers(stops)));
      continue;
    }
    const std::string problem =
        frame_problem(genes[k].record.letters, genes[k].code, genes[k].incomplete);
    if (problem.empty()) continue;
    log_warning(who + problem,
                "a frameshift (--frameshifts), a wrong frame (--frame), or another genetic code "
                "(--code)?");
  }
}

/// The genes as codons, as the options ask for.
std::vector<CodingSequence> codons_of(const std::vector<Gene>& genes, const CodonOptions& options,
                                      const std::string& label) {
  std::vector<CodingSequence> sequences;
  for (const Gene& gene : genes) {
    sequences.push_back(read_codons(gene.record.letters, gene.code, gene.incomplete));
  }
  if (options.finds_frameshifts && !read_across_frameshifts(genes, sequences)) {
    log_warning(label +
                    ": no sequence is in frame from end to end, so that frameshifts cannot be "
                    "found",
                "add one that is");
  }
  warn_of_frames(genes, sequences, label);
  if (options.keeps_stops == false) {
    for (CodingSequence& sequence : sequences) sequence.drop_stop();
  }
  return sequences;
}

SequenceSet translated(const std::vector<Gene>& genes,
                       const std::vector<CodingSequence>& sequences) {
  std::vector<SequenceRecord> proteins;
  for (std::size_t k = 0; k < genes.size(); ++k) {
    const SequenceRecord& record = genes[k].record;
    proteins.push_back({record.header, sequences[k].protein, record.name_bytes});
  }
  return SequenceSet(std::move(proteins), ResidueType::protein);
}

AlignResult align_proteins(const SequenceSet& proteins, const CodonOptions& options,
                           const RunFiles& files) {
  AlignSettings settings = make_settings(options.method, ResidueType::protein);
  settings.confidence = needs_confidence(files);
  check_memory(proteins, settings, thread_count(), memory_budget(options.compute));
  std::vector<BackendStage> stages = {BackendStage::posteriors, BackendStage::consistency};
  if (settings.is_local()) stages = {BackendStage::local_pairs};
  if (settings.tree == TreeMethod::neighbor_joining)
    stages.push_back(BackendStage::neighbor_joining);
  Computation computation(options, stages, input_work(options.input) / 9);
  return computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return align_sequences(proteins, settings, scheduler, {.progress = &progress});
  });
}

/// Aligns the proteins of genes, and writes their codons.
void align_codons(const std::vector<Gene>& genes, ResidueType type, const std::string& label,
                  const CodonOptions& options, const RunFiles& files) {
  std::vector<CodingSequence> sequences = codons_of(genes, options, label);
  const SequenceSet proteins = translated(genes, sequences);
  const AlignResult result = align_proteins(proteins, options, files);
  const AlignmentText protein =
      make_alignment_text(proteins, result.msa, result.confidence ? &*result.confidence : nullptr);
  std::vector<std::vector<std::string>> codons;
  for (CodingSequence& sequence : sequences) codons.push_back(std::move(sequence.codons));
  const AlignmentText aligned = codon_alignment(protein, codons, type, files.upper_case);
  std::vector<Output> outputs = outputs_of(aligned, files);
  if (!options.protein_output.empty()) {
    const std::string& path = options.protein_output;
    const AlignmentFormat format = format_of_suffix(path).value_or(AlignmentFormat::fasta);
    outputs.insert(outputs.begin(), make_output(path, format_alignment(protein, format)));
  }
  write_outputs(std::move(outputs));
}

void check_options(const CodonOptions& options) {
  if (options.protein.empty()) return;
  if (options.finds_frameshifts || options.finds_frame || options.frame) {
    usage_error("--protein finds frames and frameshifts by itself",
                "leave out --frame and --frameshifts");
  }
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
  if (input.set.type() == ResidueType::protein) {
    throw Error(ErrorKind::bad_input, input.label + ": these are proteins",
                "codon takes coding DNA or RNA; 'accord align' aligns proteins");
  }
  std::vector<Gene> genes = genes_of(input.set, options);
  if (options.protein.empty()) {
    align_codons(genes, input.set.type(), input.label, options, files);
    return;
  }
  FamilySource reading;
  reading.type = ResidueType::protein;
  reading.reading.lenient = options.input.reading.lenient;
  const AlignmentText threaded =
      thread_through({std::move(genes), input.label, input.set.type(), options.protein, reading,
                      options.keeps_stops, files.upper_case});
  write_outputs(outputs_of(threaded, files));
}

void set_frame(CodonOptions& options, const std::string& text) {
  options.finds_frame = text == "auto";
  options.frame.reset();
  if (options.finds_frame) return;
  options.frame = parse_count("frame", text, 1);
  if (*options.frame > 3) usage_error("--frame " + text + ": unknown", "use 1, 2, 3 or auto");
}

void add_codon_options(OptionTable& table, CodonOptions& options) {
  const auto add = [&](const char* name, const char* value, const char* help, OptionTopic topic,
                       std::function<void(const std::string&)> set) {
    table.push_back({.name = name,
                     .value = value,
                     .help = help,
                     .topic = topic,
                     .common = true,
                     .set = std::move(set)});
  };
  add_code_option(table, options.code);
  add("protein", "FILE",
      "thread the sequences through this alignment of their proteins, whichever program made it",
      OptionTopic::method, keep_in(options.protein));
  table.back().dash = Dash::input;
  add("frame", "WHICH",
      "the base that whole codons begin with, 1, 2 or 3, or auto: that of each sequence with the "
      "fewest stops inside (1, or what the input says)",
      OptionTopic::method, [&options](const std::string& text) { set_frame(options, text); });
  add("frameshifts", "",
      "find frameshifts, by the closest sequences without stops inside, and mark them with '!'",
      OptionTopic::method, flag_in(options.finds_frameshifts));
  add("stops", "WHAT",
      "keep or drop the stop codons at the ends (keep; with --protein those that are '*' there)",
      OptionTopic::method, [&options](const std::string& text) {
        bool drops = false;
        choice_in(drops, "stops", "keep", "drop")(text);
        options.keeps_stops = !drops;
      });
  add("protein-out", "FILE", "write the alignment of the proteins here", OptionTopic::output,
      keep_in(options.protein_output));
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
          "that are not those of their codons; a gene of which less than half of the residues fit "
          "is an error.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_format_options(command.options, options->output);
  add_name_map_option(command.options, options->output);
  add_codon_options(command.options, *options);
  add_method_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_codon);
  return command;
}

}  // namespace accord
