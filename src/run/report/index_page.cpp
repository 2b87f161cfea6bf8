// SPDX-License-Identifier: Apache-2.0
#include "run/report/index_page.hpp"

#include <cctype>
#include <cmath>
#include <utility>

#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/files/output_file.hpp"
#include "io/files/utf8.hpp"
#include "io/formats/confidence_writer.hpp"
#include "io/trees/newick.hpp"
#include "run/report/html_page.hpp"
#include "run/report/result_page.hpp"

namespace accord {
namespace {

constexpr const char* kIndexHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="@POLICY@">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>accord: families</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/1.4 system-ui, sans-serif; margin: 1em; }
main { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 2px 10px; text-align: right; border-bottom: 1px solid #8884; }
th:first-child, td:first-child, th:nth-child(2), td:nth-child(2) { text-align: left; }
</style>
</head>
<body>
<main tabindex="0" aria-label="families">
<h1>Families</h1>
<table>
<tr><th scope="col">family</th><th scope="col">status</th><th scope="col">sequences</th>
<th scope="col">columns</th><th scope="col">confidence</th></tr>
)";

/// Replaces what no document may have, control characters, U+FFFE and U+FFFF, by U+FFFD.
std::string as_document_text(const std::string& text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd", kSpaces = "\t\n\r";
  std::string safe = as_utf8(text);
  for (const std::string_view no_character : {"\xef\xbf\xbe", "\xef\xbf\xbf"}) {
    for (std::size_t at = safe.find(no_character); at != safe.npos;
         at = safe.find(no_character, at)) {
      safe.replace(at, no_character.size(), kReplacement);
    }
  }
  for (std::size_t at = 0; at < safe.size(); ++at) {
    const auto byte = static_cast<unsigned char>(safe[at]);
    const bool is_control = (byte < ' ' && kSpaces.find(safe[at]) == kSpaces.npos) || byte == 0x7f;
    if (is_control) safe.replace(at, 1, kReplacement);
  }
  return safe;
}

std::string escaped(const std::string& text) { return escaped_markup(as_document_text(text)); }

/// A relative path as a link: everything but unreserved characters and '/' in hexadecimal.
std::string link_of(const std::string& path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string link;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte) != 0) || kPlain.find(c) != kPlain.npos) {
      link += c;
    } else {
      link += formatted("%%%02X", byte);
    }
  }
  return link;
}

std::string cell(const std::string& text) { return "<td>" + text + "</td>"; }

constexpr const char *kTable = ".confidence.tsv", *kTree = ".dnd", *kPage = ".html";

}  // namespace

std::string path_beside(const std::string& alignment, const std::string& suffix) {
  return with_suffix(alignment, suffix);
}

std::string format_index_page(const std::string& directory,
                              const std::vector<BatchFamily>& families,
                              const std::vector<FamilyOutcome>& outcomes) {
  std::string text = with_content_policy(kIndexHead);
  for (std::size_t k = 0; k < families.size(); ++k) {
    const FamilyOutcome& outcome = outcomes[k];
    const bool has_page =
        outcome.status == FamilyStatus::aligned || outcome.status == FamilyStatus::complete;
    const std::string page = path_beside(families[k].output, ".html");
    const std::string link = link_of(relative_path(page, directory));
    const std::string name = escaped(families[k].id);
    text += "<tr>" + cell(has_page ? "<a href=\"" + link + "\">" + name + "</a>" : name) +
            cell(escaped(outcome.error.empty() ? to_string(outcome.status) : outcome.error));
    // A family that an earlier run has completed is not read again, so that its numbers are
    // unknown.
    const bool is_known = outcome.status == FamilyStatus::aligned;
    text += cell(is_known ? std::to_string(outcome.sequences) : "");
    text += cell(is_known ? std::to_string(outcome.columns) : "");
    const bool has_confidence = is_known && !std::isnan(outcome.confidence);
    text += cell(has_confidence ? formatted("%.3f", outcome.confidence) : "") + "</tr>\n";
  }
  return text + "</table>\n</main>\n</body>\n</html>\n";
}

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
