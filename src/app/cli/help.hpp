// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.hpp"

namespace accord {

/// The purpose of accord, in a sentence.
inline constexpr const char* kPurpose =
    "accord aligns families of protein, RNA or DNA sequences, and says how sure it is of every "
    "column and residue.";

/// A command line, as an example of a task.
struct Example {
  const char* line;              ///< the command line
  const char* meaning;           ///< the task, in a few words
  const char* option = nullptr;  ///< an option of the line that some builds lack; null: none
};

/// Returns the examples of `accord help examples`, the manual page and README, one for each task.
/// Leaves out an example with an option that no command of `commands` has.
std::vector<Example> examples(const std::vector<Command>& commands);

/// `left`, then the words of `right` in a column that begins at `indent`, in lines of 80; on a line
/// of its own if `left` is too wide.
std::string two_columns(std::string left, const std::string& right, std::size_t indent);

/// The text of `accord --help`: the commands and the common options, on one screen.
std::string short_help(const std::vector<Command>& commands);

/// The words that `accord help` takes: the commands, the groups of options, and other topics.
std::vector<std::string> help_topics(const std::vector<Command>& commands);

/// The text of `accord help TOPIC`, for one of help_topics().
/// Throws  Error{usage} for another word; the hint lists the topics.
std::string help_on(const std::string& topic, const std::vector<Command>& commands);

/// The manual page (roff, section 1): every command with all its options, exit codes, environment.
std::string manual_page(const std::vector<Command>& commands);

/// The script by which a shell (bash, zsh, fish) completes the command line of accord, made from
/// the tables of the commands; no value for another shell.
std::optional<std::string> completion_script(const std::string& shell,
                                             const std::vector<Command>& commands);

/// The JSON schema of the reports, as a text.
std::string report_schema();

/// The text of datasets/report.schema.json: the schema without the settings, which report_schema()
/// adds from the tables of options.
std::string_view report_schema_frame();

/// The text of CITATION.cff.
std::string_view citation_file();

/// How accord and the methods that it builds on are cited, as references and as BibTeX, for
/// `accord help cite`: what CITATION.cff says.
std::string citation_help();

/// The fields of the schema with their meanings, for `accord help report`.
std::string format_report_fields();

/// The word of `words` that a user probably meant by `word`: the one with the fewest differences,
/// where a difference is a letter added, left out, replaced, or swapped with its neighbour. One
/// difference is allowed, and two if `word` has five letters or more. Empty if all words have more
/// differences, if `word` itself is in the list, or if `word` has less than 2 or more than 40
/// letters.
std::string meant_word(const std::string& word, const std::vector<std::string>& words);

/// The longest of `words` that is a part of `word`: its beginning, such as "out" in "output", or a
/// whole part between hyphens, such as "tree" in "guide-tree". Words of less than three letters are
/// left out. Empty if there is none.
std::string contained_word(const std::string& word, const std::vector<std::string>& words);

}  // namespace accord
