// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <memory>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/estimate/estimate.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "io/aligned_reader.hpp"
#include "io/distance_writer.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "phylogeny/ml_distances.hpp"
#include "phylogeny/ml_tree.hpp"
#include "tools/distance_models.hpp"

namespace accord {
namespace {

struct DistOptions : RunOptions {
  std::string output = "-";
  std::optional<DistanceFormat> format;
  bool is_aligned = false;  ///< the input is an alignment
  bool percent_identity = false, counts_unknown = false;
  std::optional<IdentityOver> over;
  std::string model;  ///< of distances in columns; empty: none was asked for
  MethodOptions method;
};

/// Refuses an output whose suffix is that of a format which distances are not written in.
void check_suffix(const DistOptions& options) {
  const std::optional<AlignmentFormat> named = format_of_suffix(options.output);
  if (options.format || !named || *named == AlignmentFormat::phylip) return;
  usage_error(
      "-o " + options.output + ": no distances are written as " + std::string(format_name(*named)),
      "say which format with -f, or use the suffix .phy, .tsv or .csv");
}

/// Whether distances are those of columns, of an alignment that is given or made.
bool needs_columns(const DistOptions& options) {
  return options.is_aligned || options.percent_identity || !options.model.empty();
}

/// The model of differences in columns; none if one of likelihoods is asked for.
std::optional<DistanceModel> column_model(const DistOptions& options) {
  return options.model.empty() ? DistanceModel::p : distance_model_named(options.model);
}

ModelSpec model_of_likelihood(const std::string& name) {
  try {
    return parse_model(name);
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), "p, snps, jc, k80, tn93 or kimura; or " + error.hint());
  }
}

/// Refuses a model of likelihoods that does not exist, or has parameters without a value.
void check_model(const std::string& name) {
  for (const ModelParameter& parameter : model_of_likelihood(name).parameters) {
    if (parameter.is_given) continue;
    usage_error("--model " + name + ": " + parameter.name + " has no value",
                "give all parameters in braces, as in HKY{2.5}+G4{0.5}");
  }
}

/// Refuses options that say nothing beside each other.
void check_options(const DistOptions& options) {
  if (options.over && !needs_columns(options)) {
    usage_error("--identity-over without an identity: these distances are of posteriors",
                "add --percent-id or --aligned");
  }
  if (options.percent_identity && !options.model.empty()) {
    usage_error("--percent-id is no distance of a model", "leave out --model, or --percent-id");
  }
  const std::optional<DistanceModel> model = column_model(options);
  if (!model) check_model(options.model);
  if (options.over && model != DistanceModel::p) {
    usage_error("--identity-over says nothing of model " + options.model, "use --model p");
  }
  const bool takes_unknown = model == DistanceModel::p || model == DistanceModel::snps;
  if (options.counts_unknown && !(needs_columns(options) && takes_unknown)) {
    usage_error("--unknown count is of differences alone", "use --model p or --model snps");
  }
  if (options.input.files.size() > 1 && options.is_aligned) {
    usage_error("--aligned: more than one alignment", "name one file");
  }
}

/// Says of which pairs there is no distance, which are NaN, or infinite if they differ too much.
void warn_of_unknown(const DistanceMatrix& distances, const SequenceSet& set) {
  std::size_t unknown = 0, infinite = 0;
  std::string first_unknown, first_infinite;
  for (std::size_t l = 1; l < set.size(); ++l) {  // in the order of the input
    for (std::size_t k = 0; k < l; ++k) {
      const std::size_t x = set.from_input(k), y = set.from_input(l);
      const float distance = distances.at(x, y);
      if (std::isfinite(distance)) continue;
      const auto names = [&] { return quote(set.name(x)) + " and " + quote(set.name(y)); };
      if (std::isnan(distance)) {
        if (++unknown == 1) first_unknown = names();
      } else if (++infinite == 1) {
        first_infinite = names();
      }
    }
  }
  if (unknown > 0) {
    log_warning("NA: " + std::to_string(unknown) +
                    (unknown == 1 ? " pair of rows has" : " pairs of rows have") +
                    " no column to compare, such as " + first_unknown,
                "leave one of them out for programs that take numbers only");
  }
  if (infinite == 0) return;
  log_warning("NA: " + std::to_string(infinite) +
                  (infinite == 1 ? " pair of rows differs" : " pairs of rows differ") +
                  " more than the model can tell, such as " + first_infinite,
              "--model p has a number for them");
}

/// The distances of the largest likelihood by a model whose parameters are all given.
DistanceMatrix likely_distances(const std::string& model, const std::vector<std::string>& rows,
                                const SequenceSet& set, const std::string& label) {
  std::vector<SequenceRecord> records;
  std::vector<std::size_t> row_of(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    records.push_back({set.header(set.from_input(k)), rows[k]});
    row_of[set.from_input(k)] = k;
  }
  const LikelihoodInput input = likelihood_input(records, row_of, set.type(), model, label);
  DistanceMatrix distances =
      ml_distances(input.found.patterns, make_process(input.model, input.values, input.frequencies),
                   DistanceAccuracy::fine);
  const RowBits bits(rows, set.type());
  for (std::size_t l = 1; l < rows.size(); ++l) {
    for (std::size_t k = 0; k < l; ++k) {
      if (bits.compare(k, l).both > 0) continue;
      distances.set(set.from_input(k), set.from_input(l), std::nanf(""));
    }
  }
  return distances;
}

/// The text of the distances of rows, in columns.
std::string format_columns(const DistOptions& options, const std::vector<std::string>& rows,
                           const SequenceSet& set, const std::string& label,
                           DistanceFormat format) {
  const std::optional<DistanceModel> model = column_model(options);
  if (model && !is_of(*model, set.type())) {
    usage_error("--model " + options.model + " is not for " + std::string(to_string(set.type())),
                set.type() == ResidueType::protein ? "use p, kimura, or a model such as LG"
                                                   : "use p, snps, jc, k80 or tn93");
  }
  const DistanceMatrix distances =
      model ? model_distances(
                  rows, set,
                  {*model, options.over.value_or(IdentityOver::aligned), options.counts_unknown})
            : likely_distances(options.model, rows, set, label);
  warn_of_unknown(distances, set);
  return format_distances(distances, set, format,
                          options.percent_identity       ? DistanceUnit::percent_identity
                          : model == DistanceModel::snps ? DistanceUnit::count
                                                         : DistanceUnit::distance);
}

/// The distances in the alignment that 'accord align' gives.
std::string distances_of_family(const DistOptions& options, const SequenceSet& set,
                                const AlignSettings& settings, Computation& computation,
                                DistanceFormat format) {
  check_memory(set, settings, thread_count(), memory_budget(options.compute));
  const AlignResult result = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return align_sequences(set, settings, scheduler, {.progress = &progress});
  });
  return format_columns(options, make_alignment_text(set, result.msa).rows.texts(), set,
                        family_label(options.input), format);
}

void run_dist(const DistOptions& options) {
  check_options(options);
  check_suffix(options);
  start_run(options, input_files(options, options.method), {options.output});
  const DistanceFormat format =
      options.format ? *options.format : distance_format_of_suffix(options.output);
  if (options.is_aligned) {
    const AlignedFamily aligned = read_aligned(options.input.files.front(), options.input);
    return write_output(options.output,
                        format_columns(options, aligned.rows, aligned.set, aligned.label, format));
  }
  Computation computation(options, {BackendStage::posteriors}, input_work(options.input));
  const SequenceSet set = read_family(options.input).set;
  const AlignSettings settings = make_settings(options.method, set.type());
  if (needs_columns(options)) {
    return write_output(options.output,
                        distances_of_family(options, set, settings, computation, format));
  }
  check_memory(set, settings, thread_count(), memory_budget(options.compute), Purpose::distances);
  const DistanceMatrix distances =
      computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
        return compute_distances(set, settings, scheduler, &progress);
      });
  write_output(options.output, format_distances(distances, set, format));
}

}  // namespace

Command dist_command() {
  const auto options = std::make_shared<DistOptions>();
  Command command{.name = "dist",
                  .arguments = "IN...",
                  .summary = "distance matrix of IN",
                  .description =
                      "Writes the distances of all pairs of sequences of IN, in the order of the "
                      "input: 1 - the expected accuracy of the pairwise alignment, which is the "
                      "largest sum of posterior probabilities of an alignment over the length of "
                      "the shorter sequence; in [0, 1]. With --aligned IN is an alignment, and the "
                      "distance is 1 - the identity. With --percent-id the figures are identities "
                      "in per cent, in the alignment that 'accord align' gives or that IN is. So "
                      "are distances of a --model. NA stands for pairs without a column to "
                      "compare, and for those that differ more than the model can tell.\n"
                      "\n" +
                      describe_identity() +
                      "\n\n"
                      "Models: p is the share of columns that differ, snps their number, jc (Jukes "
                      "and Cantor 1969), k80 (Kimura 1980) and tn93 (Tamura and Nei 1993, with the "
                      "frequencies of the bases in all rows) of nucleotides, kimura (Kimura 1983) "
                      "of proteins. Other names are those of 'accord likelihood', such as LG or "
                      "HKY{2.5}+G4{0.5}, with all parameters given; their distance is that of the "
                      "largest likelihood, at most 10.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  add_text_output_option(command.options, "the distances", options->output);
  command.options.push_back({.name = "format",
                             .letter = 'f',
                             .value = "FORMAT",
                             .help = "phylip (square), phylip-lower, tsv, csv, or pairs, a line "
                                     "for each (by the suffix of the "
                                     "output, else phylip)",
                             .topic = OptionTopic::output,
                             .common = true,
                             .set = [options](const std::string& text) {
                               options->format = distance_format_named(text);
                               if (options->format) return;
                               throw Error(ErrorKind::usage,
                                           "--format " + text + ": unknown format",
                                           "use phylip, phylip-lower, tsv, csv or pairs");
                             }});
  command.options.push_back({.name = "aligned",
                             .help = "IN is an alignment; its gaps are kept",
                             .topic = OptionTopic::input,
                             .common = true,
                             .set = flag_in(options->is_aligned)});
  command.options.push_back({.name = "model",
                             .value = "MODEL",
                             .help = "distances in columns: p, snps, jc, k80, tn93, kimura, or a "
                                     "model such as LG, see above (p with --aligned)",
                             .topic = OptionTopic::method,
                             .common = true,
                             .set = keep_in(options->model)});
  command.options.push_back(
      {.name = "unknown",
       .value = "WHAT",
       .help = "letters such as N and X in p and snps: ignore, or count, each as a letter of its "
               "own (ignore)",
       .topic = OptionTopic::method,
       .common = true,
       .set = choice_in(options->counts_unknown, "unknown", "ignore", "count")});
  command.options.push_back(
      {.name = "percent-id",
       .help = "identities in per cent, 100 (1 - distance), instead of distances",
       .topic = OptionTopic::output,
       .common = true,
       .set = flag_in(options->percent_identity)});
  add_identity_option(command.options, options->over);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_dist);
  return command;
}

}  // namespace accord
