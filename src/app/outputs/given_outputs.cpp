// SPDX-License-Identifier: Apache-2.0
#include "app/outputs/given_outputs.hpp"

#include <algorithm>
#include <utility>

#include "app/outputs/output_list.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/families/track_writer.hpp"
#include "io/formats/confidence_writer.hpp"
#include "run/estimate/output_size.hpp"
#include "run/report/result_page.hpp"
#include "tools/columns.hpp"
#include "tools/range_names.hpp"

namespace accord {
namespace {

/// A table with a line for each stretch of residues that stand in no given column.
std::string format_left_out(const SequenceSet& set, const std::vector<ResidueRange>& ranges) {
  std::string table = "sequence\tfirst\tlast\tletters\n";
  for (const ResidueRange& range : ranges) {
    table += std::string(set.name(range.sequence)) + '\t' + std::to_string(range.first + 1) + '\t' +
             std::to_string(range.last + 1) + '\t' +
             set.letters(range.sequence).substr(range.first, range.last + 1 - range.first) + '\n';
  }
  return table;
}

bool shows_insertions(AlignmentFormat format) {
  return format == AlignmentFormat::a2m || format == AlignmentFormat::a3m;
}

/// The rows with the letters of the input, and the headers that are written.
AlignmentText plain_rows(const GivenRun& run, const std::vector<std::string>& headers) {
  AlignmentText plain = make_alignment_text(run.given.set(), run.combined.msa);
  if (run.keeps_columns) keep_columns(plain, run.combined.is_given_column);
  plain.headers = headers;
  return plain;
}

/// The markup of the given alignments, moved to the columns of the new alignment. A warning says
/// which markup is left out because alignments contradict each other.
AlignmentNotes joined_notes(const GivenRun& run) {
  const std::vector<AlignmentNotes>& given = run.given.notes();
  const std::size_t columns = run.combined.msa.columns;
  AlignmentNotes joined;
  std::size_t left_out = 0;
  const auto marked = static_cast<std::size_t>(
      std::count_if(given.begin(), given.end(),
                    [](const AlignmentNotes& notes) { return !notes.match_columns.empty(); }));
  if (marked == given.size()) joined.match_columns.assign(columns, false);
  for (std::size_t p = 0; p < given.size(); ++p) {
    const std::vector<std::uint32_t>& place = run.combined.given_columns[p];
    StockholmMarkup markup = given[p].markup;
    markup.move_columns(place, columns);
    for (std::string& other : markup.others) {
      if (other == kConfidenceNote) other = "confidence of the input";  // which is not kept
    }
    if (p == 0) {
      joined.markup = std::move(markup);
    } else {
      left_out += add_markup(joined.markup, markup);
    }
    if (marked < given.size()) continue;
    for (std::size_t c = 0; c < place.size(); ++c) {
      if (given[p].match_columns[c]) joined.match_columns[place[c]] = true;
    }
  }
  if (left_out > 0) {
    log_warning(counted(left_out, "line of markup is", "lines of markup are") +
                    " left out: the first alignment has others in their place",
                "'accord merge' keeps the markup of all alignments where they do not differ");
  }
  if (marked > 0 && marked < given.size()) {
    log_warning("the match columns are left out: only " + std::to_string(marked) + " of " +
                counted(given.size(), "alignment") + (marked == 1 ? " has" : " have") + " some");
    std::erase_if(joined.markup.of_columns,
                  [](const auto& line) { return line.tag == kReferenceTag; });
  }
  return joined;
}

}  // namespace

void write_files(const GivenRun& run, const RunFiles& files) {
  const SequenceSet& set = run.given.set();
  const CombinedAlignment& combined = run.combined;
  const Confidence* confidence = combined.confidence ? &*combined.confidence : nullptr;
  OutputList outputs(needs_checksums(files));
  AlignmentText whole = make_alignment_text(set, combined.msa, confidence, {files.upper_case});
  const AlignmentNotes notes = joined_notes(run);
  whole.markup = notes.markup;
  if (has_markup(files)) {
    add_track_lines(whole, set, combined.msa, track_tag(run.given.input().source.track));
  }
  whole.match_columns = notes.match_columns;
  AlignmentText given_columns;
  if (run.keeps_columns) {
    given_columns = whole;
    keep_numbered_columns(given_columns, set, combined.is_given_column);
    if (whole.match_columns.empty()) whole.match_columns = combined.is_given_column;
    const std::vector<ResidueRange> left_out = residues_left_out(set, combined);
    warn_of_residues_left_out(left_out);
    if (!files.left_out.empty()) {
      outputs.add("left-out", make_output(files.left_out, format_left_out(set, left_out)));
    }
  }
  const AlignmentText& kept = run.keeps_columns ? given_columns : whole;
  std::vector<AlignmentFormat> formats;
  for (const AlignmentFile& file : files.alignments) {
    const AlignmentText& shown = shows_insertions(file.format) ? whole : kept;
    say_size(shown, file.path, file.format,
             run.command == "add" && !run.keeps_columns
                 ? "{keep-columns} leaves out what fits no column of the given alignment"
                 : "");
    outputs.add(file, shown, files);
    formats.push_back(file.format);
  }
  warn_of_lost_notes(notes, formats);
  if (!files.confidence.empty()) {
    outputs.add("confidence", {files.confidence, [&](TextSink& out) {
                                 write_confidence(
                                     set, combined.msa, *confidence, out,
                                     run.keeps_columns ? &combined.is_given_column : nullptr);
                               }});
  }
  ResultRows rows;
  if (needs_checksums(files))
    rows = result_rows(files.upper_case ? plain_rows(run, kept.headers) : kept);
  if (!files.html.empty()) {
    outputs.add(
        "html",
        make_output(files.html, page_of(run, kept, format_report(run, rows, outputs.written()))));
  }
  if (!files.report.empty()) {
    outputs.add("report",
                make_output(files.report,
                            format_report(run, rows, outputs.written_with_report(files.report))));
  }
  outputs.finish();
}

}  // namespace accord
