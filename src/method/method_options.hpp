// SPDX-License-Identifier: Apache-2.0
// The options of the method: one table, which every interface, report and checksum follows.
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

/// Which families are large: aligned as a backbone, to which the other sequences are added (see
/// backbone_size).
enum class LargeFamilies { automatic, never, always };

/// How a family is aligned.
enum class AlignMode {
  posterior,  ///< by posteriors of all pairs (the default)
  local,      ///< by local alignments of all pairs, as L-INS-i of MAFFT
  motifs      ///< the same with gaps in both sequences, as E-INS-i of MAFFT
};

/// "upgma", "nj" or "file".
const char* to_string(TreeMethod tree);
/// "auto", "never" or "always".
const char* to_string(LargeFamilies large);
/// "posterior", "local" or "motifs".
const char* to_string(AlignMode mode);

/// The value that has a word by to_string(). Throws  Error{internal} if none has.
LargeFamilies large_families(const std::string& word);
AlignMode align_mode(const std::string& word);

/// An option of the method. One entry is all that an option needs: see method_options().
struct MethodOption {
  OptionField field;
  /// Whether the option is one of the models, which commands take that compute only posteriors.
  /// Reports have the name and the checksum of the parameter set that these options make.
  bool is_of_models = false;
  /// Sets a value that a user has given, after the entries above. May be null where the option is
  /// read from AlignSettings::options.
  void (*apply)(const OptionValue& value, AlignSettings& settings) = nullptr;
  /// What reports and checksums have; empty: the value of the option, under its name.
  std::vector<SettingField<AlignSettings>> reported = {};
};

/// The options, in the order of help, reports and checksums. The command line with its help,
/// completion and manual page, `named` of the C++ interface, the keywords of Python, the JSON of a
/// method, the schema of reports, reports and checksums have an option that has an entry here.
const std::vector<MethodOption>& method_options();

/// The option of a name, with dashes or underscores; null if there is none.
const MethodOption* find_method_option(const std::string& name);

/// The options of the method that a user sets; the others have the defaults of the type of the
/// residues.
class MethodOptions {
 public:
  /// Sets the option of a name by a text; `shown` is the option in messages.
  /// Throws  as read_option; Error{usage} if there is no option of the name.
  void set(const std::string& name, const std::string& text, const std::string& shown);
  /// Sets an option whose file has been read. Throws  as set.
  void set(const std::string& name, OptionFile file);

  bool is_empty() const { return values_.empty(); }
  bool has(const std::string& name) const { return values_.contains(name); }
  /// The value that was set; null if none was.
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
  /// Newick, for TreeMethod::file; else empty.
  std::string tree_file() const;
  /// The files that options name.
  std::vector<std::string> files() const;

 private:
  std::map<std::string, OptionValue> values_;  // by the names of method_options()
};

/// What reports and checksums have of the options, in their order.
std::vector<SettingField<AlignSettings>> reported_fields();

}  // namespace accord
