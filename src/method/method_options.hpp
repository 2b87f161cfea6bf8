// SPDX-License-Identifier: Apache-2.0
// The options of the method: one table, from which all interfaces, reports and checksums take them.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "options/option_field.hpp"

namespace accord {

struct AlignSettings;

/// The origin of the guide tree.
enum class TreeMethod { upgma, neighbor_joining, file };

/// Which families are large (see backbone_size), and how these are aligned: as a backbone, to which
/// the other sequences are added, or, with `subsets`, all of them by align_by_subsets().
enum class LargeFamilies { automatic, never, always, subsets };

/// How a family is aligned.
enum class AlignMode {
  posterior,  ///< by posteriors of all pairs (the default)
  local,      ///< by local alignments of all pairs, as L-INS-i of MAFFT
  motifs      ///< the same with gaps in both sequences, as E-INS-i of MAFFT
};

/// "upgma", "nj" or "file".
const char* to_string(TreeMethod tree);
/// "auto", "never", "always" or "subsets".
const char* to_string(LargeFamilies large);
/// "posterior", "local" or "motifs".
const char* to_string(AlignMode mode);

/// The value whose to_string() is `word`.
/// Throws  Error{internal} if there is none.
LargeFamilies large_families(const std::string& word);
AlignMode align_mode(const std::string& word);

/// An option of the method. To add an option, add one entry to method_options().
struct MethodOption {
  OptionField field;
  /// Whether the option changes the models of the posteriors. Commands that compute only posteriors
  /// take only such options. Reports have the name and the checksum of the parameter set that these
  /// options make.
  bool is_of_models = false;
  /// Sets a value that the user has given. Options are applied in the order of the table. Null if
  /// the value is read from AlignSettings::options.
  void (*apply)(const OptionValue& value, AlignSettings& settings) = nullptr;
  /// The fields that reports and checksums have for the option; empty: its value, under its name.
  std::vector<SettingField<AlignSettings>> reported = {};
};

/// The options, in the order of help, reports and checksums. An option that has an entry here is on
/// the command line with its help, completion and manual page, in `named` of the C++ interface,
/// among the keywords of Python, in the JSON of a method, in reports and their schema, and in
/// checksums.
const std::vector<MethodOption>& method_options();

/// The option with a name, which may have dashes or underscores; null if there is none.
const MethodOption* find_method_option(const std::string& name);

/// The options of the method that the user has set. All other options have the defaults for the
/// residue type.
class MethodOptions {
 public:
  /// Sets the option `name` by the text of its value; `shown` is the name of the option in
  /// messages.
  /// Throws  as read_option; Error{usage} if there is no option of the name.
  void set(const std::string& name, const std::string& text, const std::string& shown);
  /// Sets an option whose value is a file that has been read.
  /// Throws  as the other set().
  void set(const std::string& name, OptionFile file);

  bool is_empty() const { return values_.empty(); }
  bool has(const std::string& name) const { return values_.contains(name); }
  /// The value that was set; null if none was. Value is the type that an option of this type has
  /// in OptionValue.
  template <class Value>
  const Value* find(const std::string& name) const {
    const auto at = values_.find(name);
    return at == values_.end() ? nullptr : std::get_if<Value>(&at->second);
  }
  /// The value that was set, or else the default of the field; none if the field has none.
  std::optional<OptionValue> value_of(const OptionField& field) const;

  AlignMode mode() const;
  bool is_local() const { return mode() != AlignMode::posterior; }
  /// Average linkage by default, and in the local modes neighbour joining.
  TreeMethod tree_method() const;
  /// The path of the Newick file, for TreeMethod::file; else empty.
  std::string tree_file() const;
  /// The files that options name.
  std::vector<std::string> files() const;

 private:
  std::map<std::string, OptionValue> values_;  // by the names of method_options()
};

/// The fields that reports and checksums have for all options, in the order of the options.
std::vector<SettingField<AlignSettings>> reported_fields();

}  // namespace accord
