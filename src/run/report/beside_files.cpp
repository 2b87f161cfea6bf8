// SPDX-License-Identifier: Apache-2.0
#include "run/report/beside_files.hpp"

#include <utility>

#include "io/files/output_file.hpp"
#include "io/formats/confidence_writer.hpp"
#include "io/trees/newick.hpp"
#include "run/report/index_page.hpp"
#include "run/report/result_page.hpp"

namespace accord {
namespace {

constexpr const char *kTable = ".confidence.tsv", *kTree = ".dnd", *kPage = ".html";

}  // namespace

std::vector<std::string> paths_beside(const BatchFamily& family, const BesideFiles& beside) {
  std::vector<std::string> paths;
  if (beside.confidence) paths.push_back(path_beside(family.output, kTable));
  if (beside.trees) paths.push_back(path_beside(family.output, kTree));
  if (beside.pages) paths.push_back(path_beside(family.output, kPage));
  return paths;
}

void request_beside_files(BatchSettings& settings, const BesideFiles& beside) {
  if (!beside.confidence && !beside.trees && !beside.pages) return;
  settings.beside_confidence = beside.confidence || beside.pages;
  settings.beside_name = std::string(beside.confidence ? " confidence" : "") +
                         (beside.trees ? " tree" : "") + (beside.pages ? " page" : "");
  settings.beside = [beside, method = settings.method](const BatchFamily& family,
                                                       const SequenceSet& set,
                                                       const AlignResult& result) {
    std::vector<Output> outputs;
    const auto add = [&](const char* suffix, std::string text) {
      outputs.push_back(make_output(path_beside(family.output, suffix), std::move(text)));
    };
    if (beside.confidence) {
      outputs.push_back({path_beside(family.output, kTable), [&set, &result](TextSink& out) {
                           write_confidence(set, result.msa, *result.confidence, out);
                         }});
    }
    if (beside.trees) add(kTree, format_newick(result.tree, set));
    if (beside.pages) {
      add(kPage, page_of(family.id, set, result,
                         "'accord batch --report' writes the report of all families.",
                         make_settings(method, set.type())));
    }
    return outputs;
  };
}

}  // namespace accord
