// SPDX-License-Identifier: Apache-2.0
#include "accord/report/run_outputs.hpp"

#include <algorithm>
#include <utility>

#include "accord/io/confidence_writer.hpp"
#include "accord/io/distance_writer.hpp"
#include "accord/io/newick.hpp"
#include "accord/io/sha256.hpp"
#include "accord/report/core_view.hpp"
#include "accord/report/html_page.hpp"

namespace accord {
namespace {

/// What a run writes, with what the report says of it.
class RunOutputs {
 public:
  explicit RunOutputs(bool with_checksums) : with_checksums_(with_checksums) {}

  void add(const std::string& kind, const std::string& path, std::string text,
           const std::string& format = {}) {
    outputs_.push_back(make_output(path, std::move(text)));
    const std::string& bytes = outputs_.back().bytes;
    written_.push_back({kind, format, {path, bytes.size(), with_checksums_ ? sha256(bytes) : ""}});
  }

  const std::vector<WrittenFile>& written() const { return written_; }

  /// The outputs, the last one first.
  std::vector<Output> take() {
    std::reverse(outputs_.begin(), outputs_.end());
    return std::move(outputs_);
  }

 private:
  bool with_checksums_;
  std::vector<Output> outputs_;
  std::vector<WrittenFile> written_;
};

/// The page, which shows a report without the page itself and without the report's file; of a large
/// family the core.
std::string page_of(const AlignRun& run, const RunFiles& files, const Confidence& confidence,
                    const std::vector<WrittenFile>& written) {
  if (const std::optional<FamilyCore>& core = run.result.core) {
    const CoreView view = core_view(run.input.set, run.result);
    const AlignmentText rows =
        make_alignment_text(view.set, view.msa, &view.confidence, {files.upper_case, &core->tree});
    return format_page(run.input.label + ": " + std::to_string(core->members.size()) +
                           " representatives of " + std::to_string(run.input.set.size()) +
                           " sequences",
                       rows, confidence.mean, core->tree, format_report(run, written));
  }
  const AlignmentText rows = make_alignment_text(run.input.set, run.result.msa, &confidence,
                                                 {files.upper_case, &run.result.tree});
  return format_page(run.input.label, rows, confidence.mean, run.result.tree,
                     format_report(run, written));
}

/// The report, which lists its own file without a checksum.
std::string report_of(const AlignRun& run, const std::string& path,
                      std::vector<WrittenFile> written) {
  written.push_back({"report", {}, {path, 0, {}}});
  return format_report(run, written);
}

}  // namespace

std::vector<std::string> paths_of(const RunFiles& files) {
  std::vector<std::string> paths = {files.tree, files.distances, files.report,  files.confidence,
                                    files.html, files.multiqc,   files.name_map};
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

std::vector<Output> outputs_of(const AlignRun& run, const RunFiles& files) {
  const SequenceSet& set = run.input.set;
  const AlignResult& result = run.result;
  const Confidence* confidence = result.confidence ? &*result.confidence : nullptr;
  RunOutputs outputs(needs_checksums(files));
  const AlignmentText alignment = make_alignment_text(
      set, result.msa, confidence, {files.upper_case, files.tree_order ? &result.tree : nullptr});
  for (const AlignmentFile& file : files.alignments) {
    outputs.add("alignment", file.path, format_alignment(alignment, file.format, files.wrap),
                std::string(name_of(file.format)));
  }
  if (!files.name_map.empty()) outputs.add("name-map", files.name_map, format_name_map(alignment));
  if (!files.tree.empty()) outputs.add("tree", files.tree, format_newick(result.tree, set));
  if (!files.distances.empty()) {
    outputs.add("distances", files.distances, format_distances(result.distances, set));
  }
  if (!files.multiqc.empty()) outputs.add("multiqc", files.multiqc, format_multiqc(run));
  if (!files.confidence.empty()) {
    outputs.add("confidence", files.confidence, format_confidence(set, result.msa, *confidence));
  }
  if (!files.html.empty()) {
    outputs.add("html", files.html, page_of(run, files, *confidence, outputs.written()));
  }
  if (!files.report.empty()) {
    outputs.add("report", files.report, report_of(run, files.report, outputs.written()));
  }
  return outputs.take();
}

}  // namespace accord
