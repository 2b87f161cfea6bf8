// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/tree_search_options.hpp"
#include "app/estimate/estimate.hpp"
#include "app/estimate/topology_memory.hpp"
#include "base/parallel.hpp"
#include "io/distance_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/input_alignment.hpp"
#include "io/newick.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "method/upgma.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/rows_with_data.hpp"
#include "phylogeny/summary.hpp"
#include "stages/neighbor_joining/neighbor_joining_request.hpp"

namespace accord {
namespace {

struct TreeOptions : RunOptions {
  std::string output = "-";
  bool neighbor_joining = false;
  bool from_distances = false;
  bool is_ml = false;       ///< a tree of maximum likelihood,
  bool is_aligned = false;  ///< of the alignment that IN is,
  bool prunes = false;      ///< without the rows of which nothing is known
  TreeSearchOptions search;
  std::string table_output;
  std::optional<int> code;  ///< of codons
  MethodOptions method;
};

/// Refuses options that do not go together.
void check_options(const TreeOptions& options) {
  if (options.is_ml && options.from_distances) {
    throw Error(ErrorKind::usage, "--ml needs sequences, --from-distances has none",
                "leave one of them out");
  }
  if (options.is_aligned && options.input.files.size() > 1) {
    throw Error(ErrorKind::usage, "--aligned: more than one alignment", "name one file");
  }
  check_models_output(options.search);
  if (options.is_ml) return;
  const char* const without = options.is_aligned                  ? "--aligned"
                              : options.prunes                    ? "--prune"
                              : !options.search.model.empty()     ? "--model"
                              : options.code                      ? "--code"
                              : options.search.regraft_radius > 0 ? "--spr"
                              : !options.search.supports.empty()  ? "--support"
                              : !options.table_output.empty()     ? "--table"
                                                                  : nullptr;
  if (without == nullptr) return;
  throw Error(ErrorKind::usage, std::string(without) + " is for trees of maximum likelihood",
              "add --ml");
}

float longest_of(const DistanceMatrix& distances) {
  float longest = 0;
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) longest = std::max(longest, distances.at(x, y));
  }
  return longest;
}

/// A power of two by which distances are divided, so that they fill the range that
/// Backend::join takes.
double scale_for_joining(float longest) {
  constexpr double kLongest = 32;
  double scale = 1;
  while (longest / scale > kLongest) scale *= 2;
  while (longest > 0 && longest / scale <= kLongest / 2) scale /= 2;
  return scale;
}

/// A number with as few digits as it can have within a tolerance.
double shortest_within(double value, double tolerance) {
  constexpr int kMostDigits = 17;
  char digits[64];
  for (int precision = 0; precision < kMostDigits; ++precision) {
    const auto end = std::to_chars(digits, digits + sizeof digits, value,
                                   std::chars_format::scientific, precision)
                         .ptr;
    double rounded = 0;
    std::from_chars(digits, end, rounded);
    if (std::abs(rounded - value) <= tolerance) return rounded;
  }
  return value;
}

/// The tree with lengths that have no more digits than single precision knows of distances whose
/// longest is this.
GuideTree with_short_lengths(const GuideTree& tree, double longest) {
  constexpr double kPart = 1.0 / (1 << 22);
  GuideTree shortened = with_branch_lengths(tree);
  for (double& length : shortened.length) length = shortest_within(length, kPart * longest);
  return shortened;
}

/// The tree of neighbour joining, of distances that fill the range of fixed point.
GuideTree joined(const DistanceMatrix& distances, Scheduler& scheduler) {
  const double scale = scale_for_joining(longest_of(distances));
  DistanceMatrix scaled(distances.size());
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      scaled.set(x, y, static_cast<float>(distances.at(x, y) / scale));
    }
  }
  GuideTree tree = request_neighbor_joining(scaled, scheduler);
  for (double& length : tree.length) length *= scale;
  return tree;
}

/// The tree of the distances in the one file.
std::string tree_of_matrix(const TreeOptions& options) {
  if (options.input.files.size() > 1) {
    throw Error(ErrorKind::usage, "--from-distances: more than one matrix",
                "a tree is made from one matrix; name one file");
  }
  const std::string& file = options.input.files.front();
  const std::string label = input_label(file);
  const NamedDistances named = parse_distances(read_text(file), label);
  const double longest = longest_of(named.distances);
  if (!options.neighbor_joining) {
    return format_newick(with_short_lengths(upgma(named.distances), longest), named.names);
  }
  Computation computation(options, {BackendStage::neighbor_joining},
                          neighbor_joining_work(named.distances.size()));
  const GuideTree tree = computation.run(
      [&](Scheduler& scheduler, ProgressListener&) { return joined(named.distances, scheduler); });
  return format_newick(with_short_lengths(tree, longest), named.names);
}

/// The tree of the sequences.
std::string tree_of_family(const TreeOptions& options) {
  std::vector<BackendStage> stages = {BackendStage::posteriors};
  if (options.neighbor_joining) stages.push_back(BackendStage::neighbor_joining);
  Computation computation(options, stages, input_work(options.input));
  const SequenceSet set = read_family(options.input).set;
  AlignSettings settings = make_settings(options.method, set.type());
  settings.tree = options.neighbor_joining ? TreeMethod::neighbor_joining : TreeMethod::upgma;
  check_memory(set, settings, thread_count(), memory_budget(options.compute), Purpose::tree);
  const GuideTree tree = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return build_tree(set, compute_distances(set, settings, scheduler, &progress), settings,
                      scheduler);
  });
  return format_newick(tree, set);
}

/// The alignment that IN is, or that accord makes of it.
InputAlignment aligned_family(const TreeOptions& options) {
  if (options.is_aligned) return read_input_alignment(options.input);
  Computation computation(options, {BackendStage::posteriors, BackendStage::consistency},
                          input_work(options.input));
  FamilyInput input = read_family(options.input);
  const AlignSettings settings = make_settings(options.method, input.set.type());
  check_memory(input.set, settings, thread_count(), memory_budget(options.compute));
  const AlignResult result = computation.run([&](Scheduler& scheduler, ProgressListener& progress) {
    return align_sequences(input.set, settings, scheduler, {log_stage, &progress});
  });
  const AlignmentText text = make_alignment_text(input.set, result.msa);
  InputAlignment aligned{{}, std::move(input.set), input.label};
  for (std::size_t k = 0; k < text.rows.size(); ++k) {
    aligned.rows.push_back(aligned.set.record(aligned.set.from_input(k)));
    aligned.rows.back().letters = text.rows[k];
  }
  return aligned;
}

/// Writes the tree of maximum likelihood, and the table if it is wanted.
void run_ml_tree(const TreeOptions& options) {
  InputAlignment aligned = aligned_family(options);
  check_rows(aligned, options.input, options.prunes);
  LikelihoodInput input = likelihood_input(aligned.rows, aligned.row_of(), aligned.set.type(),
                                           options.search.model, aligned.label, options.code);
  const SitePatterns& patterns = input.found.patterns;
  check_topology_memory(input, options.search.regraft_radius, memory_budget(options.compute),
                        aligned.label);
  Computation computation(options, {BackendStage::likelihood, BackendStage::neighbor_joining},
                          fitting_work(patterns, input.model), true);
  std::vector<RankedModel> models;
  std::vector<std::string> labels;
  const FitResult result = computation.run([&](Scheduler& scheduler, ProgressListener&) {
    if (options.search.chooses_model()) {
      models = choose_model(input, neighbor_joining_tree(input, scheduler), aligned.set.type(),
                            scheduler);
    }
    FitResult best = ml_tree(input, FitTarget::all, options.search.regraft_radius, scheduler);
    labels = support_labels(best.fitted, patterns, options.search.supports, scheduler);
    return best;
  });
  std::vector<Output> outputs;
  outputs.push_back(make_output(
      options.output, format_newick(tree_with_lengths(result.fitted), aligned.set, labels)));
  if (!options.table_output.empty()) {
    outputs.push_back(make_output(options.table_output, format_summary(result, patterns)));
  }
  if (!options.search.models_output.empty()) {
    outputs.push_back(make_output(options.search.models_output, format_models(models)));
  }
  write_outputs(outputs);
}

void run_tree(const TreeOptions& options) {
  check_options(options);
  start_run(options, input_files(options, options.method),
            {options.output, options.table_output, options.search.models_output});
  if (options.is_ml) return run_ml_tree(options);
  write_output(options.output,
               options.from_distances ? tree_of_matrix(options) : tree_of_family(options));
}

}  // namespace

Command tree_command() {
  const auto options = std::make_shared<TreeOptions>();
  Command command{.name = "tree",
                  .arguments = "IN...",
                  .summary = "guide tree of IN (Newick)",
                  .description =
                      "Writes the guide tree of the sequences of IN in Newick, with branch lengths "
                      "in units of the distance, 1 - expected accuracy of the pairwise alignment. "
                      "'accord align --tree FILE' aligns along it. With --from-distances IN is a "
                      "distance matrix: PHYLIP, square or a triangle, or TSV or CSV as 'accord "
                      "dist' writes them.\n"
                      "\n"
                      "With --ml it is a tree of maximum likelihood: the sequences are aligned (or "
                      "IN is an alignment, --aligned), neighbour joining of maximum-likelihood "
                      "distances gives a first tree, and nearest-neighbour interchanges (with "
                      "--spr regrafts of subtrees, too) improve it, branch lengths and the "
                      "parameters of the model fitted meanwhile. Its branch lengths are in "
                      "substitutions per site (per codon for GY94). "
                      "'accord help likelihood' has the models; 'accord likelihood' does the same "
                      "with a tree of your own, and tells more.\n",
                  .least_files = 1,
                  .most_files = Command::kAnyNumber};
  add_family_options(command.options, options->input);
  command.options.push_back({.name = "from-distances",
                             .help = "IN is a distance matrix (PHYLIP, TSV or CSV)",
                             .topic = OptionTopic::input,
                             .common = true,
                             .set = flag_in(options->from_distances)});
  add_text_output_option(command.options, "the tree", options->output);
  const auto flag = [&](const char* name, const char* help, OptionTopic topic, bool& target) {
    command.options.push_back(
        {.name = name, .help = help, .topic = topic, .common = true, .set = flag_in(target)});
  };
  flag("ml", "a tree of maximum likelihood, with lengths in substitutions per site",
       OptionTopic::method, options->is_ml);
  flag("aligned", "IN is an alignment; its gaps are kept (--ml)", OptionTopic::input,
       options->is_aligned);
  flag("prune",
       "leave out rows of which nothing is known, with a warning; they are an error otherwise "
       "(--ml)",
       OptionTopic::method, options->prunes);
  add_tree_search_options(command.options, options->search, " (--ml)");
  add_code_option(command.options, options->code);
  command.options.push_back(
      {.name = "table",
       .value = "FILE",
       .help = "write the logarithm of the likelihood and the parameters here (--ml)",
       .topic = OptionTopic::output,
       .common = true,
       .set = keep_in(options->table_output)});
  command.options.push_back(
      {.name = "method",
       .value = "METHOD",
       .help = "upgma, or nj: neighbour joining, rooted at its midpoint (upgma)",
       .topic = OptionTopic::method,
       .common = true,
       .set = choice_in(options->neighbor_joining, "method", "upgma", "nj")});
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_tree);
  return command;
}

}  // namespace accord
