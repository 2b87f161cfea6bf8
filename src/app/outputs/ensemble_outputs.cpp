// SPDX-License-Identifier: Apache-2.0
#include "app/outputs/ensemble_outputs.hpp"

#include <utility>

#include "app/outputs/output_list.hpp"
#include "base/paths.hpp"
#include "io/families/track_writer.hpp"
#include "io/formats/ensemble_writer.hpp"
#include "io/formats/format_suffix.hpp"
#include "run/ensemble_page.hpp"
#include "run/report/ensemble_report.hpp"

namespace accord {
namespace {

/// The rows of all replicates, with the tracks of the input in Stockholm.
std::vector<AlignmentText> texts_of(const FamilyInput& input, const Ensemble& ensemble,
                                    const EnsembleFiles& files) {
  std::vector<AlignmentText> texts;
  for (const Replicate& replicate : ensemble.replicates) {
    const Msa& msa = replicate.aligned.msa;
    const std::optional<Confidence>& confidence = replicate.aligned.confidence;
    texts.push_back(make_alignment_text(input.set, msa, confidence ? &*confidence : nullptr,
                                        {files.upper_case}));
    if (files.format != AlignmentFormat::stockholm || files.form == EnsembleForm::efa) continue;
    add_track_lines(texts.back(), input.set, msa, track_tag(input.source.track));
  }
  return texts;
}

}  // namespace

bool needs_checksums(const EnsembleFiles& files) {
  return !files.report.empty() || !files.html.empty();
}

std::vector<std::string> paths_of(const EnsembleFiles& files) {
  std::vector<std::string> paths = {files.columns, files.replicates, files.report, files.html,
                                    files.name_map};
  if (files.form != EnsembleForm::folder) paths.push_back(files.path);
  return paths;
}

std::vector<std::string> paths_in_folder(const EnsembleFiles& files, const Ensemble& ensemble) {
  std::vector<std::string> paths;
  for (const Replicate& replicate : ensemble.replicates) {
    const std::string name = replicate.name() + suffix_of(files.format);
    paths.push_back(joined_path(files.path, name));
  }
  return paths;
}

void write_files(const AlignRun& run, const Ensemble& ensemble, const EnsembleFiles& files) {
  RunFiles style;
  style.wrap = files.wrap;
  OutputList outputs(needs_checksums(files));
  const std::vector<AlignmentText> texts = texts_of(run.family.input, ensemble, files);
  const AlignmentText joined =
      files.form == EnsembleForm::concatenated ? concatenated(texts) : AlignmentText();
  switch (files.form) {
    case EnsembleForm::efa:
      outputs.add("ensemble", {files.path, [&](TextSink& out) {
                                 std::vector<std::string> names;
                                 for (const Replicate& replicate : ensemble.replicates) {
                                   names.push_back(replicate.name());
                                 }
                                 write_efa(names, texts, files.wrap, out);
                               }});
      break;
    case EnsembleForm::folder: {
      const std::vector<std::string> paths = paths_in_folder(files, ensemble);
      warn_of_format(texts.front(), files.format);
      for (std::size_t r = 0; r < texts.size(); ++r) {
        outputs.add("alignment", alignment_output(texts[r], {paths[r], files.format}, style),
                    std::string(format_name(files.format)));
      }
      break;
    }
    case EnsembleForm::concatenated:
      outputs.add({files.path, files.format}, joined, style);
      break;
  }
  if (!files.name_map.empty()) {
    outputs.add("name-map", make_output(files.name_map, format_name_map(texts.front())));
  }
  if (!files.replicates.empty()) {
    outputs.add("replicates", make_output(files.replicates, format_replicates(ensemble)));
  }
  if (!files.columns.empty()) {
    outputs.add("column-confidence",
                {files.columns, [&](TextSink& out) { write_column_confidence(ensemble, out); }});
  }
  ResultRows rows;
  if (needs_checksums(files)) {
    rows = result_rows(make_alignment_text(run.family.set(), run.result.msa));
  }
  if (!files.html.empty()) {
    const std::string report = format_report(run, ensemble, rows, outputs.written());
    outputs.add("html", make_output(files.html,
                                    run::ensemble_page(run, ensemble, report, files.upper_case)));
  }
  if (!files.report.empty()) {
    outputs.add("report", make_output(files.report,
                                      format_report(run, ensemble, rows,
                                                    outputs.written_with_report(files.report))));
  }
  outputs.finish();
}

}  // namespace accord
