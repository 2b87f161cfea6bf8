// SPDX-License-Identifier: Apache-2.0
#include "app/outputs/run_outputs.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/families/track_writer.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/confidence_writer.hpp"
#include "io/trees/distance_writer.hpp"
#include "io/trees/newick.hpp"
#include "method/folding/base_pair_track.hpp"
#include "method/structures/superposition.hpp"
#include "run/estimate/output_size.hpp"
#include "run/report/multiqc.hpp"
#include "run/report/result_page.hpp"
#include "run/structure_run.hpp"
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

/// For each added sequence its header, and a line for each residue: letter, place in the sequence,
/// and column of the given alignment, from 1; `-` where it has none.
std::string format_column_map(const GivenRun& run, LetterCase letter_case) {
  const SequenceSet& set = run.given.set();
  const CombinedAlignment& combined = run.combined;
  std::vector<std::size_t> given_column(combined.msa.columns);
  std::size_t columns = 0;
  for (std::size_t c = 0; c < given_column.size(); ++c) {
    if (combined.is_given_column[c]) given_column[c] = ++columns;
  }
  std::string text;
  for (std::size_t k = run.given.parts().front().members.size(); k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    text += '>' + set.record(x).header +
            "\n# letter, position in the original sequence, position in the reference alignment\n";
    const std::vector<std::uint32_t>& column_of = combined.msa.column_of[x];
    for (std::size_t i = 0; i < column_of.size(); ++i) {
      const std::size_t column = given_column[column_of[i]];
      text += in_case(set.letters(x)[i], letter_case, set.type());
      text +=
          ", " + std::to_string(i + 1) + ", " + (column == 0 ? "-" : std::to_string(column)) + '\n';
    }
  }
  return text;
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

std::vector<std::string> paths_of(const RunFiles& files) {
  std::vector<std::string> paths = {files.tree, files.distances, files.report,    files.confidence,
                                    files.html, files.multiqc,   files.name_map,  files.left_out,
                                    files.map,  files.track,     files.tm_scores, files.superposed};
  for (const AlignmentFile& file : files.alignments) paths.push_back(file.path);
  return paths;
}

std::vector<std::pair<std::string, Output>> structure_outputs(const SequenceSet& set,
                                                              const Msa& msa,
                                                              const RunFiles& files) {
  std::vector<std::pair<std::string, Output>> outputs;
  if (!files.tm_scores.empty()) {
    outputs.push_back({"tm-scores", {files.tm_scores, [&set, &msa](TextSink& out) {
                                       run::write_tm_scores(set, msa, out);
                                     }}});
  }
  if (!files.superposed.empty()) {
    const auto frame = std::make_shared<const CommonFrame>(*common_frame(set, msa));
    run::warn_of_unmoved(set, *frame);
    log_verbose("superposed   onto " + std::string(set.name(frame->reference)) +
                formatted(", mean TM-score %.3f", frame->mean));
    const StructureFormat format = run::structure_format(files.superposed, "--superposed");
    outputs.push_back({"superposed", {files.superposed, [&set, frame, format](TextSink& out) {
                                        run::write_superposed(set, *frame, format, out);
                                      }}});
  }
  return outputs;
}

bool wants_structures(const RunFiles& files) {
  return !files.tm_scores.empty() || !files.superposed.empty();
}

void check_structure_files(const RunFiles& files) {
  if (!files.superposed.empty()) run::structure_format(files.superposed, "--superposed");
}

void check_structures(const SequenceSet& set, const std::string& label, const RunFiles& files) {
  if (!wants_structures(files) || has_structures(set)) return;
  throw Error(ErrorKind::usage,
              label + ": " + (files.tm_scores.empty() ? "--superposed" : "--tm-scores") +
                  " of fewer than two structures",
              "name structures, PDB or mmCIF files");
}

bool needs_confidence(const RunFiles& files) {
  for (const std::string* path : {&files.confidence, &files.report, &files.html, &files.multiqc}) {
    if (!path->empty()) return true;
  }
  return std::any_of(files.alignments.begin(), files.alignments.end(),
                     [](const AlignmentFile& file) { return shows_confidence(file.format); });
}

bool needs_checksums(const RunFiles& files) { return !files.report.empty() || !files.html.empty(); }

bool has_markup(const RunFiles& files) {
  return std::any_of(
      files.alignments.begin(), files.alignments.end(),
      [](const AlignmentFile& file) { return file.format == AlignmentFormat::stockholm; });
}

namespace {

bool keeps_descriptions(AlignmentFormat format) {
  using enum AlignmentFormat;
  return format == fasta || format == stockholm || format == a2m || format == a3m || format == json;
}

/// Warns if rows have descriptions behind their names, and formats have no place for descriptions.
void warn_of_lost_descriptions(const AlignmentText& alignment,
                               const std::vector<AlignmentFormat>& formats) {
  std::size_t described = 0;
  for (std::string_view header : alignment.headers) {
    take_word(header);
    described += !is_blank(header);
  }
  std::string names;
  for (const AlignmentFormat format : formats) {
    if (keeps_descriptions(format)) continue;
    names += (names.empty() ? "" : ", ") + std::string(format_name(format));
  }
  if (described == 0 || names.empty()) return;
  log_warning(
      "the descriptions behind " + counted(described, "name") + " have no place in " + names,
      "fasta, stockholm, a2m, a3m and json keep them");
}

}  // namespace

Output alignment_output(const AlignmentText& alignment, const AlignmentFile& file,
                        const RunFiles& files) {
  return {file.path, [&alignment, format = file.format, wrap = files.wrap](TextSink& out) {
            write_alignment(alignment, format, wrap, out);
          }};
}

std::vector<Output> outputs_of(const AlignmentText& alignment, const RunFiles& files) {
  std::vector<Output> outputs;
  std::vector<AlignmentFormat> formats;
  for (const AlignmentFile& file : files.alignments) {
    warn_of_format(alignment, file.format);
    outputs.push_back(alignment_output(alignment, file, files));
    formats.push_back(file.format);
  }
  warn_of_lost_notes({alignment.match_columns, alignment.markup, {}, {}}, formats);
  warn_of_lost_descriptions(alignment, formats);
  if (!files.name_map.empty()) {
    outputs.push_back(make_output(files.name_map, format_name_map(alignment)));
  }
  return outputs;
}

void write_files(const AlignRun& run, const RunFiles& files) {
  const SequenceSet& set = run.family.set();
  const AlignResult& result = run.result;
  const Confidence* confidence = result.confidence ? &*result.confidence : nullptr;
  OutputList outputs(needs_checksums(files));
  const GuideTree* const order = files.tree_order ? &result.tree : nullptr;
  AlignmentText alignment =
      make_alignment_text(set, result.msa, confidence, {files.letter_case, order});
  if (has_markup(files)) {
    add_track_lines(alignment, set, result.msa, track_tag(run.family.input.source.track), order);
  }
  for (const AlignmentFile& file : files.alignments) {
    say_size(alignment, file.path, file.format);
    outputs.add(file, alignment, files);
  }
  const auto add = [&](const std::string& kind, const std::string& path, std::string text) {
    outputs.add(kind, make_output(path, std::move(text)));
  };
  if (!files.name_map.empty()) add("name-map", files.name_map, format_name_map(alignment));
  if (!files.tree.empty()) {
    warn_of_lost(result.tree_notes, run.family.settings.tree_file);
    add("tree", files.tree, format_newick(result.tree, set, result.tree_notes));
  }
  if (!files.distances.empty()) {
    add("distances", files.distances, format_distances(result.distances, set));
  }
  if (!files.multiqc.empty()) add("multiqc", files.multiqc, format_multiqc(run));
  if (!files.confidence.empty()) {
    outputs.add("confidence", {files.confidence, [&](TextSink& out) {
                                 write_confidence(set, result.msa, *confidence, out, nullptr,
                                                  result.lddt ? &*result.lddt : nullptr);
                               }});
  }
  if (!files.track.empty()) {
    const std::vector<std::string>& base_pairs = result.facts.base_pairs;
    AlignmentText tracks =
        track_rows(base_pairs.empty() ? set : with_tracks(set, base_pairs), result.msa, order);
    outputs.add("track", {files.track, [tracks = std::move(tracks), &files](TextSink& out) {
                            write_alignment(tracks, AlignmentFormat::fasta, files.wrap, out);
                          }});
  }
  for (auto& [kind, output] : structure_outputs(set, result.msa, files)) {
    outputs.add(kind, std::move(output));
  }
  ResultRows rows;
  if (needs_checksums(files)) {
    const bool is_plain = files.letter_case == LetterCase::keep && !files.tree_order;
    rows = result_rows(is_plain ? alignment : make_alignment_text(set, result.msa));
  }
  if (!files.html.empty()) {
    add("html", files.html,
        page_of(page_title(run.family.input), set, result,
                format_report(run, rows, outputs.written()), run.family.settings, files.letter_case,
                track_tag(run.family.input.source.track)));
  }
  if (!files.report.empty()) {
    add("report", files.report,
        format_report(run, rows, outputs.written_with_report(files.report)));
  }
  outputs.finish();
}

void write_files(const GivenRun& run, const RunFiles& files) {
  const SequenceSet& set = run.given.set();
  const CombinedAlignment& combined = run.combined;
  const Confidence* confidence = combined.confidence ? &*combined.confidence : nullptr;
  OutputList outputs(needs_checksums(files));
  AlignmentText whole = make_alignment_text(set, combined.msa, confidence, {files.letter_case});
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
  if (!files.map.empty()) {
    outputs.add("map", make_output(files.map, format_column_map(run, files.letter_case)));
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
    rows =
        result_rows(files.letter_case != LetterCase::keep ? plain_rows(run, kept.headers) : kept);
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

void OutputList::add(const std::string& kind, Output output, const std::string& format) {
  WrittenFile file{kind, format, {output.path, 0, {}}};
  if (with_checksums_) {
    const WrittenBytes written = files_.add_with_checksum(std::move(output));
    file.file.bytes = written.bytes;
    file.file.sha256 = written.sha256;
  } else {
    files_.add(std::move(output));
  }
  written_.push_back(std::move(file));
}

void OutputList::add(const AlignmentFile& file, const AlignmentText& alignment,
                     const RunFiles& files) {
  warn_of_format(alignment, file.format);
  add("alignment", alignment_output(alignment, file, files), std::string(format_name(file.format)));
}

std::vector<WrittenFile> OutputList::written_with_report(const std::string& path) const {
  std::vector<WrittenFile> written = written_;
  written.push_back({"report", {}, {path, 0, {}}});
  return written;
}

}  // namespace accord
