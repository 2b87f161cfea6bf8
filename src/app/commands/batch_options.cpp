// SPDX-License-Identifier: Apache-2.0
#include "app/commands/batch_options.hpp"

#include <algorithm>
#include <charconv>

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"
#include "io/formats/formats.hpp"

namespace accord {
namespace {

/// Adds the options of the output, and those about the order and the course of the batch.
void add_run_settings(OptionTable& table, BatchSettings& values, bool& allows_outside) {
  table.push_back({.name = "out-dir",
                   .letter = 'O',
                   .value = "DIR",
                   .help = "write the alignments here; the directory is made if it is not there",
                   .topic = OptionTopic::output,
                   .common = true,
                   .dash = Dash::nothing,
                   .set = keep_in(values.directory)});
  table.push_back({.name = "format",
                   .letter = 'f',
                   .value = "FORMAT",
                   .help = writable_formats() + " (fasta)",
                   .topic = OptionTopic::output,
                   .common = true,
                   .set = [&values](const std::string& text) {
                     values.format = parse_format("format", text);
                   }});
  table.push_back({.name = "allow-outside",
                   .help = "let OUT of a manifest name files outside the directory -O: ../x or /x",
                   .topic = OptionTopic::output,
                   .set = flag_in(allows_outside)});
  table.push_back(
      {.name = "shard",
       .value = "I/N",
       .help = "align only the I-th of N parts of the families; the parts take about as long",
       .topic = OptionTopic::input,
       .common = true,
       .set = [&values](const std::string& text) { values.shard = parse_shard(text); }});
  table.push_back({.name = "resume",
                   .help =
                       "skip complete families: aligned by this version from the same input with "
                       "the same options, and unchanged since",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = flag_in(values.resume)});
  table.push_back({.name = "keep-going",
                   .help = "start further families even after an error that concerns all of them, "
                           "such as an output that cannot be written",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = flag_in(values.keep_going)});
}

/// Reads "confidence,tree,page".
/// Throws  Error{usage}
void parse_beside(const std::string& text, BesideFiles& beside) {
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (word == "confidence") {
      beside.confidence = true;
    } else if (word == "tree") {
      beside.trees = true;
    } else if (word == "page") {
      beside.pages = true;
    } else {
      throw Error(ErrorKind::usage, "--beside " + text + ": unknown word '" + word + "'",
                  "use confidence, tree and page, with commas");
    }
    at = end + 1;
  }
}

}  // namespace

Shard parse_shard(const std::string& text) {
  Shard shard;
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.number);
  const bool has_slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second =
      has_slash ? std::from_chars(first.ptr + 1, end, shard.count) : std::from_chars_result{};
  if (!has_slash || second.ec != std::errc() || second.ptr != end || shard.number < 1 ||
      shard.number > shard.count) {
    throw Error(ErrorKind::usage, "--shard " + text + ": not a part of a whole",
                "the parts of 16 are 1/16 to 16/16");
  }
  constexpr std::size_t kMost = 1'000'000;
  if (shard.count > kMost) {
    throw Error(ErrorKind::usage, "--shard " + text + ": too many parts",
                "use " + std::to_string(kMost) + " or less");
  }
  return shard;
}

void add_batch_options(OptionTable& table, BatchOptions& values) {
  add_family_options(table, values.input);
  add_track_options(table, values.input);
  add_run_settings(table, values.batch, values.allows_outside);
  table.push_back(
      {.name = "beside",
       .value = "WHAT",
       .help = "write beside each alignment, too: confidence (ID.confidence.tsv), tree (ID.dnd), "
               "page (ID.html, and index.html, of a shard index-I-of-N.html, which lists the "
               "families); with commas",
       .topic = OptionTopic::output,
       .common = true,
       .set = [&values](const std::string& text) { parse_beside(text, values.beside); }});
  table.push_back(
      {.name = "plan",
       .value = "FILE",
       .help = "align nothing; write a manifest of all families here, with the cells that each "
               "will have, by which --shard then divides it evenly",
       .topic = OptionTopic::output,
       .set = keep_in(values.plan)});
  add_report_option(table, values.report);
  add_multiqc_option(table, "a row about each family", values.multiqc);
  add_method_options(table, values.batch.method);
  add_run_options(table, values);
}

}  // namespace accord
