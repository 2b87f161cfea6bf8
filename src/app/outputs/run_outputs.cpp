// SPDX-License-Identifier: Apache-2.0
#include "app/outputs/run_outputs.hpp"

#include <algorithm>
#include <utility>

#include "app/outputs/output_list.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/families/track_writer.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/confidence_writer.hpp"
#include "io/trees/distance_writer.hpp"
#include "io/trees/newick.hpp"
#include "run/estimate/output_size.hpp"
#include "run/report/multiqc.hpp"
#include "run/report/result_page.hpp"

namespace accord {

std::vector<std::string> paths_of(const RunFiles& files) {
  std::vector<std::string> paths = {files.tree,       files.distances, files.report,
                                    files.confidence, files.html,      files.multiqc,
                                    files.name_map,   files.left_out,  files.track};
  for (const AlignmentFile& file : files.alignments) paths.push_back(file.path);
  return paths;
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
      make_alignment_text(set, result.msa, confidence, {files.upper_case, order});
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
                                 write_confidence(set, result.msa, *confidence, out);
                               }});
  }
  if (!files.track.empty()) {
    AlignmentText tracks = track_rows(set, result.msa, order);
    outputs.add("track", {files.track, [tracks = std::move(tracks), &files](TextSink& out) {
                            write_alignment(tracks, AlignmentFormat::fasta, files.wrap, out);
                          }});
  }
  ResultRows rows;
  if (needs_checksums(files)) {
    const bool is_plain = !files.upper_case && !files.tree_order;
    rows = result_rows(is_plain ? alignment : make_alignment_text(set, result.msa));
  }
  if (!files.html.empty()) {
    add("html", files.html,
        page_of(page_title(run.family.input), set, result,
                format_report(run, rows, outputs.written()), run.family.settings,
                files.upper_case));
  }
  if (!files.report.empty()) {
    add("report", files.report,
        format_report(run, rows, outputs.written_with_report(files.report)));
  }
  outputs.finish();
}

}  // namespace accord
