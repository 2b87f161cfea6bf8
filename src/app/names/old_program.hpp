// SPDX-License-Identifier: Apache-2.0
// The command lines of other aligners, done by accord. Each program has one table of its options,
// which the translation, the help, the documents and the tests read.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/temporary_file.hpp"

namespace accord {

/// What becomes of an option of another program.
enum class OptionFate {
  becomes,  ///< options of accord
  nothing,  ///< taken, and changes nothing in accord; a notice says so
  refused   ///< an error, since the result would be another one than is asked for
};

/// An option of another program.
struct OldOption {
  std::string_view spellings;  ///< with blanks between them; the first one names the option
  std::string_view value;      ///< the word for its value in the help; empty: it has none
  std::string_view meaning;    ///< what it does there, in a line
  OptionFate fate = OptionFate::becomes;
  /// becomes: words of accord, with VALUE for the value; nothing, refused: why, and what accord has
  /// in its place.
  std::string_view accord;
  /// The translation of the program reads the option, and `accord` tells what it makes of it.
  bool is_read = false;
};

/// An option on a command line.
struct GivenOption {
  const OldOption* option;
  std::string spelling;  ///< as it is on the line
  std::string value;
};

struct OldProgram;

/// A command line of another program, read by the table of that program.
struct OldCall {
  std::string name;  ///< under which the program was called, such as "linsi"
  std::vector<GivenOption> options;
  std::vector<std::string> files;

  /// The value of the option whose first spelling is `name`, the last one if it is there twice;
  /// null if it is not on the line.
  const std::string* value(std::string_view name) const;
  bool has(std::string_view name) const { return value(name) != nullptr; }
  /// The words of accord for all options that the table translates, in the order of the line.
  std::vector<std::string> words() const;
  /// The one file of the line; "-" if there is none and `default_stdin` is set.
  /// Throws  Error{usage} for no file or several.
  std::string only_file(bool default_stdin = false) const;
};

/// A file between two commands of a plan. It is removed with this object.
class StepFile {
 public:
  /// Makes an empty file.
  /// Throws  Error{cannot_create}
  StepFile();
  const std::string& path() const { return file_->path(); }

 private:
  std::unique_ptr<TemporaryFile> file_;
};

/// The commands of accord that do what a command line asks for, in their order: each begins with
/// the name of a command. The last one writes what the program writes.
struct CommandPlan {
  std::vector<std::vector<std::string>> commands;
  std::vector<StepFile> files;
};

/// Why options have no effect.
inline constexpr std::string_view kChosenBySize = "accord chooses by the size of the family";
inline constexpr std::string_view kTrainedCosts =
    "the parameters of accord are trained; --matrix of accord";

/// A program whose command line accord takes.
struct OldProgram {
  std::string_view name;                ///< as it is in the help: "mafft"
  std::vector<std::string_view> names;  ///< all names under which it is called
  std::string_view usage;               ///< its command line, without the name
  std::vector<OldOption> options;
  /// What differs in its outputs, in sentences, for the help and the documents.
  std::string_view differences;
  CommandPlan (*plan)(const OldCall& call);
  bool takes_joined_values = false;  ///< --name=VALUE, and -nVALUE
  bool version_on_stderr = false;
  int failure_code = 1;  ///< of the process when the input or the run fails; 1 for a wrong line
};

/// All programs, in the order of the help.
const std::vector<OldProgram>& old_programs();

/// The program of a name. "muscle" is version 5 if the arguments have an option that version 3
/// lacks, or ask for help, else version 3.
/// Throws  Error{usage} for another name; the hint lists the names.
const OldProgram& program_of(const std::string& name, const std::vector<std::string>& arguments);

/// All names, with commas between them.
std::string names_of_programs();

OldProgram mafft_program();
OldProgram muscle5_program();
OldProgram muscle3_program();
OldProgram clustalo_program();
OldProgram famsa_program();
OldProgram kalign_program();
OldProgram probcons_program();

/// Reads the arguments of a program by its table.
/// Throws  Error{usage} for an option that is not in the table, that is refused, or that lacks its
///         value.
OldCall read_old_call(const OldProgram& program, const std::string& name,
                      const std::vector<std::string>& arguments);

/// One command of accord: its name, options, and files, which may begin with a dash.
std::vector<std::string> command_line(std::string name, const std::vector<std::string>& options,
                                      const std::vector<std::string>& files);

/// Appends words to others.
void append(std::vector<std::string>& words, const std::vector<std::string>& more);

/// Refuses an option, or a whole line, of a program; `hint` says what accord has in its place.
/// Throws  Error{usage}, always.
[[noreturn]] void refuse_option(const std::string& option, const std::string& why,
                                const std::string& hint);

/// The help of a program: its table of options, what accord makes of each, and what differs.
std::string help_of(const OldProgram& program);

}  // namespace accord
