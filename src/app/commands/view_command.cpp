// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "app/cli/run_setup.hpp"
#include "app/commands/commands.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/trees/newick.hpp"
#include "method/large/family_plan.hpp"
#include "run/align_run.hpp"
#include "run/report/result_page.hpp"

namespace accord {
namespace {

struct ViewOptions : RunOptions {
  std::string page;  ///< path; empty: a temporary file, shown in the browser
  std::string tree;  ///< path; empty: no tree
  bool prunes = false;
  bool without_confidence = false;
  MethodOptions method;
};

/// The path of a temporary page for an alignment.
/// Throws  Error{cannot_create} if the user has no directory for temporary files.
std::string temporary_page(const std::string& file) {
  const std::string directory = private_temporary_directory();
  if (directory.empty()) {
    throw Error(ErrorKind::cannot_create, "no directory for the temporary page of " + file,
                "-o FILE writes the page to a file");
  }
  return joined_path(directory, file_stem(file) + "-" + std::to_string(process_id()) + ".html");
}

/// The confidence of an alignment; none if it is not wanted, or if the family is so large that
/// accord would not compute all of its pairs either.
std::optional<Confidence> confidence_of(const AlignedFamily& aligned, const AlignSettings& settings,
                                        const ViewOptions& options) {
  if (options.without_confidence) return std::nullopt;
  if (plan_family(aligned.set, settings).is_large()) {
    log_warning(aligned.label + ": the page has no confidence, which takes all pairs of " +
                    counted(aligned.set.size(), "sequence"),
                "'accord confidence' computes it; --no-confidence leaves out this warning");
    return std::nullopt;
  }
  RunDevices devices = open_devices(options, {&PosteriorCall::stage}, input_seconds(options.input));
  return with_progress(options, devices, [&](const RunContext& context) {
    return run::confidence(aligned, std::vector<bool>(aligned.columns(), true), settings, context);
  });
}

/// Shows a page in the browser if there is a desktop, and prints its path.
void show(const std::string& page) {
  write_output("-", page + "\n");
  if (!open_on_desktop(page)) log_notice("no browser was opened; the page is " + page);
}

void run_view(const ViewOptions& options) {
  const std::string& file = options.input.files.front();
  const std::string page = options.page.empty() ? temporary_page(file) : options.page;
  std::vector<std::string> inputs = input_files(options, options.method);
  inputs.push_back(options.tree);
  start_run(options, inputs, {page});
  const AlignedFamily aligned = read_aligned(file, options.input);
  std::optional<GuideTree> tree;
  if (!options.tree.empty()) {
    const auto parse = options.prunes ? parse_newick_pruned : parse_newick;
    tree = parse(read_text(options.tree), options.tree, aligned.set, NewickLengths::any, nullptr);
  }
  const AlignSettings settings = make_settings(options.method, aligned.set.type());
  const std::optional<Confidence> confidence = confidence_of(aligned, settings, options);
  write_output(page, page_of(aligned, confidence ? &*confidence : nullptr, tree ? &*tree : nullptr,
                             settings));
  if (options.page.empty()) show(page);
}

}  // namespace

Command view_command() {
  const auto options = std::make_shared<ViewOptions>();
  Command command{
      .name = "view",
      .arguments = "MSA",
      .summary = "a page that shows the alignment MSA",
      .description =
          "Shows an alignment, whichever program made it, as an HTML page in one file: rows, "
          "confidence (see 'accord confidence'), conservation, search, and a preview of 'accord "
          "trim'. Without -o the page is a temporary file, which opens in the browser; its path "
          "goes to stdout. --tree orders the rows, and draws the tree beside them.\n"
          "\n"
          "A family of more than 700 sequences, or of more than 1e11 cells in all pairs, has no "
          "confidence. Of an alignment of more than 10,000 rows or 4 million residues the page "
          "shows representative rows.\n",
      .least_files = 1,
      .most_files = 1};
  add_input_options(command.options, options->input);
  add_replicate_option(command.options, options->input);
  command.options.push_back({.name = "out",
                             .letter = 'o',
                             .value = "FILE",
                             .help = "write the page here (-: stdout), and open no browser",
                             .topic = OptionTopic::output,
                             .common = true,
                             .set = keep_in(options->page)});
  command.options.push_back({.name = "tree",
                             .value = "FILE",
                             .help = "a tree of the rows, Newick or NEXUS",
                             .topic = OptionTopic::input,
                             .common = true,
                             .dash = Dash::input,
                             .set = keep_in(options->tree)});
  command.options.push_back({.name = "prune",
                             .help = "leave out leaves of --tree that are no rows",
                             .topic = OptionTopic::input,
                             .set = flag_in(options->prunes)});
  command.options.push_back({.name = "no-confidence",
                             .help = "do not compute the confidence",
                             .topic = OptionTopic::output,
                             .common = true,
                             .set = flag_in(options->without_confidence)});
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_view);
  return command;
}

}  // namespace accord
