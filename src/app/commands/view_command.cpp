// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
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
#include "run/figure/colour_scheme.hpp"
#include "run/figure/figure.hpp"
#include "run/report/result_page.hpp"

namespace accord {
namespace {

struct ViewOptions : RunOptions {
  std::string output;  ///< path; empty: a temporary page, shown in the browser
  std::string tree;    ///< path; empty: no tree
  bool prunes = false;
  bool without_confidence = false;
  FigureOptions figure;
  std::string rows;          ///< path of the names of rows; empty: all rows
  std::string marked;        ///< path of the names of rows that are marked; empty: none
  std::string figure_words;  ///< the options of figures that are set, for messages
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

/// Whether the output is a figure, by its suffix.
/// Throws  Error{usage} for the suffix of a figure that cannot be written, and for options of
///         figures if it is a page.
bool is_figure(const ViewOptions& options) {
  const std::string suffix = lower_case(unknown_suffix(options.output));
  if (suffix == ".svg" || suffix == ".pdf") {
    if (options.figure.is_logo && !options.rows.empty()) {
      usage_error("--logo with --rows: a logo is of the whole alignment", "leave out one of them");
    }
    if (options.figure.is_logo && !options.marked.empty()) {
      usage_error("--logo with --mark: a logo has no rows", "leave out one of them");
    }
    return true;
  }
  if (suffix == ".png" || suffix == ".eps") {
    usage_error("-o " + options.output + ": figures are written as SVG and PDF",
                "use -o FILE.svg, which browsers, Inkscape and rsvg-convert turn into PNG; a page "
                "saves PNG, too");
  }
  if (!options.figure_words.empty()) {
    usage_error(options.figure_words + ": for figures, and the output is a page",
                "-o FILE.svg or FILE.pdf writes a figure");
  }
  return false;
}

/// The names of rows in a file, one a line.
std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  const std::string text = read_text(path);
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) names.emplace_back(line);
  }
  if (names.empty()) {
    throw Error(ErrorKind::bad_input, path + ": no name of a row", "write one name a line");
  }
  return names;
}

std::optional<GuideTree> tree_of(const AlignedFamily& aligned, const ViewOptions& options) {
  if (options.tree.empty()) return std::nullopt;
  const auto parse = options.prunes ? parse_newick_pruned : parse_newick;
  return parse(read_text(options.tree), options.tree, aligned.set, NewickLengths::any, nullptr);
}

/// The names of several alignments, for a message.
std::string first_names(const std::vector<FileAlignment>& shown) {
  constexpr std::size_t kMost = 3;
  std::string names;
  for (std::size_t k = 0; k < std::min(kMost, shown.size()); ++k) {
    names += (k > 0 ? ", " : "") + (shown[k].name.empty() ? shown[k].file : shown[k].name);
  }
  return names + (shown.size() > kMost ? ", ..." : "");
}

/// Throws Error{usage} for a figure or a tree of several alignments, and for more alignments than a
/// page can offer.
void check_count(const std::vector<FileAlignment>& shown, bool draws, const ViewOptions& options) {
  constexpr std::size_t kMostShown = 1000;
  const std::string names = std::to_string(shown.size()) + " (" + first_names(shown) + ")";
  if (shown.size() > 1 && (draws || !options.tree.empty())) {
    const std::string what = std::string(draws ? "a figure" : "--tree") + " is of one alignment";
    if (options.input.files.size() > 1) usage_error(what + ", not of " + names, "give one file");
    usage_error(what + ", and " + shown.front().file + " has " + names,
                "--replicate NAME takes one, by its name or its number");
  }
  if (shown.size() > kMostShown) {
    usage_error("a page offers at most " + std::to_string(kMostShown) + " alignments, not " + names,
                "--replicate NAME takes one of a file, by its name or its number");
  }
}

/// Adds the names by which --mark knows the rows of an alignment.
void add_names(const SequenceSet& set, std::set<std::string>& names) {
  for (std::string& name : whole_names(set)) names.insert(std::move(name));
  for (std::string& name : unique_names(set)) names.insert(std::move(name));
}

/// Refuses names of --mark that no alignment has.
void check_marked(const std::vector<std::string>& marked, const std::set<std::string>& names) {
  for (const std::string& name : marked) {
    if (names.contains(name)) continue;
    throw Error(ErrorKind::usage, "no alignment has a row " + name + ", which --mark names",
                "'accord stats' lists the rows; the file has one name a line");
  }
}

/// The options of a figure, with the names of rows that files have.
FigureOptions figure_of(const ViewOptions& options, const std::vector<std::string>& marked) {
  FigureOptions figure = options.figure;
  figure.is_pdf = lower_case(unknown_suffix(options.output)) == ".pdf";
  if (!options.rows.empty()) figure.rows = names_in(options.rows);
  figure.marked = marked;
  return figure;
}

void run_view(const ViewOptions& options) {
  const bool draws = is_figure(options);
  const std::string output =
      options.output.empty() ? temporary_page(options.input.files[0]) : options.output;
  std::vector<std::string> inputs = input_files(options, options.method);
  inputs.insert(inputs.end(), {options.tree, options.rows, options.marked});
  start_run(options, inputs, {output});
  const std::vector<std::string> marked =
      options.marked.empty() ? std::vector<std::string>() : names_in(options.marked);
  const FigureOptions figure = figure_of(options, marked);
  FamilySource source = options.input;
  source.reading.replicate.clear();  // alignments_of takes it
  std::vector<FileAlignment> alignments = alignments_of(options.input.files, options.input);
  check_count(alignments, draws, options);
  std::vector<std::string> data;
  std::set<std::string> names;  // of rows, if some are marked
  for (FileAlignment& shown : alignments) {
    const AlignedFamily aligned = aligned_in(std::move(shown.text), shown.label(), source);
    const std::optional<GuideTree> tree = tree_of(aligned, options);
    const AlignSettings settings = make_settings(options.method, aligned.set.type());
    const std::optional<Confidence> confidence =
        draws && figure.is_logo ? std::nullopt : confidence_of(aligned, settings, options);
    const Confidence* sure = confidence ? &*confidence : nullptr;
    const GuideTree* order = tree ? &*tree : nullptr;
    if (draws) {
      return write_output(output,
                          format_figure(text_to_show(aligned, sure, order), shown.title(), figure));
    }
    if (!marked.empty()) add_names(aligned.set, names);
    data.push_back(
        data_of(aligned, sure, settings, {.title = shown.title(), .tree = order}, marked));
  }
  check_marked(marked, names);
  write_output(output, page_of_data(data));
  if (options.output.empty()) show(output);
}

/// Adds the options of figures.
void add_figure_options(OptionTable& table, ViewOptions& options) {
  const auto add = [&](const std::string& name, const std::string& value, const std::string& help,
                       const std::function<void(const std::string&)>& set) {
    add_common_option(table, name, value, "of a figure: " + help, OptionTopic::output,
                      [&options, name, set](const std::string& text) {
                        options.figure_words +=
                            (options.figure_words.empty() ? "--" : ", --") + name;
                        set(text);
                      });
  };
  FigureOptions& figure = options.figure;
  add("colours", "NAME", listed(colour_scheme_names()) + " (faded, or residues without confidence)",
      keep_in(figure.colours));
  add("columns", "LIST", "these columns, numbered from 1: 5-90, or 5-90,120- (all)",
      [&figure](const std::string& text) { figure.columns = parse_columns(text); });
  add("rows", "FILE", "the rows that this file names, one a line, in its order (all)",
      keep_in(options.rows));
  table.back().dash = Dash::input;
  add("wrap", "N", "columns of a block, 0 for one strip (60)", count_in(figure.wrap, "wrap"));
  add("above", "LIST",
      "what stands above the columns: " + listed(figure_track_names()) +
          ", with commas between them, or none (conservation,confidence,structure)",
      [&figure](const std::string& text) { figure.above = parse_figure_tracks(text); });
  add("logo", "", "a sequence logo alone, without rows", flag_in(figure.is_logo));
}

}  // namespace

Command view_command() {
  const auto options = std::make_shared<ViewOptions>();
  Command command{
      .name = "view",
      .arguments = "MSA...",
      .summary = "the alignment MSA as a page or a figure",
      .description =
          "Shows an alignment, whichever program made it, as an HTML page in one file: rows, "
          "confidence (see 'accord confidence'), conservation, search, and a preview of 'accord "
          "trim'. Lines of Stockholm, such as SS and RF, stand above the rows. Without -o the page "
          "is a temporary file, which opens in the browser; its path goes to stdout. --tree orders "
          "the rows, and draws the tree beside them. --mark marks rows. Of several files, or of a "
          "file with several alignments (Stockholm, an ensemble in EFA), the page offers a choice; "
          "--replicate takes one of them.\n"
          "\n"
          "-o FILE.svg or FILE.pdf draws a figure for an article instead: blocks of rows with "
          "names and numbers of residues, a legend, and above the columns what --above lists. "
          "Colours and what stands above are those of the whole alignment, also where --rows and "
          "--columns choose a part. The height of a logo is the information of a column in bits, "
          "with the "
          "correction for small samples of Schneider et al. (1986).\n"
          "\n"
          "A family of more than 700 sequences, or of more than 1e11 cells in all pairs, has no "
          "confidence. Of an alignment of more than 10,000 rows or 20 million residues the page "
          "shows representative rows.\n",
      .least_files = 1,
      .most_files = Command::kAnyNumber};
  add_input_options(command.options, options->input);
  add_replicate_option(command.options, options->input);
  command.options.push_back({.name = "out",
                             .letter = 'o',
                             .value = "FILE",
                             .help = "write the page here (-: stdout), and open no browser; "
                                     "FILE.svg, FILE.pdf: a figure",
                             .topic = OptionTopic::output,
                             .common = true,
                             .set = keep_in(options->output)});
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
  command.options.push_back({.name = "mark",
                             .value = "FILE",
                             .help = "mark the rows that this file names, one a line",
                             .topic = OptionTopic::output,
                             .common = true,
                             .dash = Dash::input,
                             .set = keep_in(options->marked)});
  command.options.push_back({.name = "no-confidence",
                             .help = "do not compute the confidence",
                             .topic = OptionTopic::output,
                             .common = true,
                             .set = flag_in(options->without_confidence)});
  add_figure_options(command.options, *options);
  add_model_options(command.options, options->method);
  add_run_options(command.options, *options);
  command.run = with_files(options, run_view);
  return command;
}

}  // namespace accord
