// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/sequence_reader.hpp"

namespace accord {

/// Where a family is read from, and what is accepted.
struct FamilySource {
  std::vector<std::string> files;  ///< read as one family; "-" is standard input
  ReadOptions reading;
  std::optional<ResidueType> type;  ///< detected if not set
  bool adjust_direction = false;    ///< nucleotides that read backwards are turned round
  /// Else a warning says which sequences look as if they were; set where a user can ask for it.
  bool suggests_direction = false;
  std::optional<int> most_sequences;  ///< no limit if not set
  std::optional<int> most_residues;   ///< of a sequence; no limit if not set
  bool shows_names = true;            ///< the outputs have the names; else no warning of them
};

/// A file that was read or written.
struct FileDigest {
  std::string path;       ///< as it was named
  std::size_t bytes = 0;  ///< as stored: packed if the file is
  std::string sha256;     ///< of these bytes; empty if it was not asked for
};

/// A family with what it was read from.
struct FamilyInput {
  SequenceSet set;
  std::string label;              ///< the inputs in messages: "a.fa, b.fa"
  std::vector<FileDigest> files;  ///< in the order in which they were named
  FamilySource source;            ///< how they were read

  bool is_type_detected() const { return !source.type.has_value(); }
};

/// The inputs of a family in messages: "a.fa, b.fa".
std::string family_label(const FamilySource& source);

/// What read_family() is for.
enum class FamilyUse {
  alignment,  ///< a new alignment is written: a warning says which markup of the inputs it lacks
  numbers     ///< no alignment is
};

/// Reads the sequences of all inputs, one input after the other, as one family; `with_checksums`
/// asks for the checksums of the files.
/// Throws  as read_text, sequences_of, make_family and check_size.
FamilyInput read_family(const FamilySource& source, bool with_checksums = false,
                        FamilyUse use = FamilyUse::numbers);

/// The records as a family, of the type that the source asks for or that the letters suggest;
/// `label` names it in messages.
/// The first `directed` sequences are turned round in no case, and the others are as they are.
/// Warnings say which sequences were turned round, or look as if they had to be, which type was
/// taken where another is nearly as likely, which sequences have no known residue, and, if the
/// source says that names are shown, which of them unique_names changes.
///
/// Throws  Error{bad_input} for nucleotides and proteins together, unless a type was asked for.
SequenceSet make_family(std::vector<SequenceRecord> records, const FamilySource& source,
                        const std::string& label, std::size_t directed = 0);

/// The source of an alignment, whose rows cannot be turned round.
/// Throws  Error{usage} if that is asked for.
FamilySource source_of_rows(FamilySource source, const std::string& label);

/// Refuses a family that has more or longer sequences than the source allows.
/// Throws  Error{bad_input}
void check_size(const SequenceSet& set, const FamilySource& source, const std::string& label);

}  // namespace accord
