// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/help.hpp"

namespace accord {
namespace {

/// What CITATION.cff says of one work.
struct Work {
  std::map<std::string, std::string> fields;  ///< title, year, doi, ...
  std::vector<std::string> authors;           ///< "Family, Given", or the name of a group
};

/// A scalar of YAML without its quotes.
std::string unquoted(std::string text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    return text.substr(1, text.size() - 2);
  return text;
}

/// The works of CITATION.cff: accord first, then its references. Of YAML it reads what that file
/// has, a key and a value in a line.
std::vector<Work> works_of(std::string_view file) {
  std::vector<Work> works(1);
  bool in_references = false;
  std::istringstream lines{std::string(file)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" -");
    const std::size_t colon = line.find(':');
    if (begin == line.npos || colon == line.npos || colon < begin) continue;
    const std::string key = line.substr(begin, colon - begin);
    const std::size_t value_at = line.find_first_not_of(' ', colon + 1);
    if (value_at == line.npos) {
      in_references = in_references || key == "references";
      continue;
    }
    const std::string value = unquoted(line.substr(value_at));
    if (in_references && key == "type") works.emplace_back();
    Work& work = works.back();
    if (key == "name" || key == "family-names") {
      work.authors.push_back(value);
    } else if (key == "given-names") {
      work.authors.back() += ", " + value;
    } else {
      work.fields.emplace(key, value);
    }
  }
  return works;
}

std::string field_of(const Work& work, const std::string& name) {
  const auto found = work.fields.find(name);
  return found == work.fields.end() ? "" : found->second;
}

/// A work as a line of a list of references.
std::string reference(const Work& work) {
  std::string text;
  for (const std::string& author : work.authors) text += (text.empty() ? "" : "; ") + author;
  const std::string year = field_of(work, "year"), doi = field_of(work, "doi");
  text += (year.empty() ? ". " : " (" + year + "). ") + field_of(work, "title");
  const std::string journal = field_of(work, "journal"), first = field_of(work, "start");
  if (journal.empty()) {
    text += ", version " + field_of(work, "version");
  } else {
    text += ". " + journal + " " + field_of(work, "volume") + (first.empty() ? "" : ":" + first);
  }
  return text + "." + (doi.empty() ? "" : " https://doi.org/" + doi);
}

/// A work as an entry of BibTeX, whose key is the name of the program in its title.
std::string bibtex(const Work& work) {
  const std::string title = field_of(work, "title");
  std::string key;
  for (const char c : title.substr(0, title.find(':'))) {
    if (c != ' ') key += c;
  }
  std::string authors;
  for (const std::string& author : work.authors) {
    const bool is_group = author.find(',') == author.npos;  // whose words are no names of a person
    authors += (authors.empty() ? "" : " and ") + (is_group ? "{" + author + "}" : author);
  }
  std::string text = "@" + field_of(work, "type") + "{" + key + ",\n  author = {" + authors +
                     "},\n  title = {{" + title + "}}";
  for (const auto& [name, field] :
       {std::pair{"journal", "journal"}, std::pair{"year", "year"}, std::pair{"volume", "volume"},
        std::pair{"pages", "start"}, std::pair{"version", "version"}, std::pair{"doi", "doi"}}) {
    const std::string value = field_of(work, field);
    if (!value.empty()) text += std::string(",\n  ") + name + " = {" + value + "}";
  }
  return text + "\n}\n";
}

}  // namespace

std::string citation_help() {
  const std::vector<Work> works = works_of(citation_file());
  std::string text = "Please cite accord, and the methods that it builds on:\n\n";
  for (const Work& work : works) text += two_columns("", reference(work), 0) + '\n';
  text += "BibTeX:\n";
  for (const Work& work : works) text += "\n" + bibtex(work);
  return text;
}

}  // namespace accord
