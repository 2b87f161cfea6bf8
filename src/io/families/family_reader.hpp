// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/families/input_files.hpp"
#include "io/families/sequence_reader.hpp"
#include "io/families/track_reader.hpp"
#include "io/files/text_input.hpp"

namespace accord {

/// The files of a family, and how they are read.
struct FamilySource {
  std::vector<std::string> files;  ///< read as one family, see files_of_inputs
  ReadOptions reading;
  std::optional<ResidueType> type;  ///< detected if not set
  bool adjust_direction = false;    ///< turn nucleotides that are reverse complements
  /// If adjust_direction is false, whether a warning names such sequences. Set if the user has an
  /// option to turn them.
  bool suggests_direction = false;
  std::optional<int> most_sequences;  ///< no limit if not set
  std::optional<int> most_residues;   ///< of one sequence; no limit if not set
  bool shows_names = true;            ///< outputs have names: warn of names that are changed
  TrackSource track;
  bool takes_track = false;  ///< whether the run uses tracks; else they are refused

  /// The limits of the sequences.
  ReadLimits limits() const { return {most_sequences, most_residues}; }
};

/// A file that was read or written.
struct FileDigest {
  std::string path;       ///< as the user wrote it
  std::size_t bytes = 0;  ///< size of the stored, possibly packed, file
  std::string sha256;     ///< of the stored bytes; empty if not requested
};

/// An input of a family as it was read.
struct InputText {
  InputFile file;
  FileDigest digest;
  std::string text;  ///< unpacked
  /// The records of the text, if they have been read.
  std::optional<std::vector<SequenceRecord>> records = {};
};

/// Reads a file of a source. `with_checksums` requests its checksum.
/// Throws  as read_bytes and unpacked, with the limits of the source.
InputText read_input(const InputFile& file, const FamilySource& source, bool with_checksums);

/// Reads the records of an input of a source, gaps included.
/// Throws  as records_of.
std::vector<SequenceRecord> records_of_input(const InputText& input, const FamilySource& source);

/// A family, and the files from which it was read.
struct FamilyInput {
  SequenceSet set;
  std::string label = {};              ///< the inputs in messages: "a.fa, b.fa"
  std::vector<FileDigest> files = {};  ///< in the order of files_of_inputs
  FamilySource source = {};            ///< the options with which it was read

  bool is_type_detected() const { return !source.type.has_value(); }
};

/// Names the files of a family in messages: "a.fa, b.fa".
std::string family_label(const FamilySource& source);

/// The purpose of reading a family.
enum class FamilyUse {
  alignment,  ///< to write a new alignment: a warning names markup of the inputs that it loses
  numbers     ///< no alignment is written
};

/// Reads all files of a source, see files_of_inputs. `with_checksums` requests their checksums.
/// Throws  as read_bytes and unpacked, with the limits of the source.
std::vector<InputText> read_inputs(const FamilySource& source, bool with_checksums);

/// Makes a family of the sequences of the inputs, one input after the other. If some are structures
/// and the source names no tracks, the tracks are the secondary structure of the structures, in the
/// letters of the table ss3. If the source names lines of markup, these become its file of tracks
/// (see tracks_of_markup). If the source takes no tracks, the source of the family has none.
/// Throws  as sequences_of, make_family, tracks_of_markup and check_size; Error{bad_input} for a
///         sequence of a structure that has the name of another sequence, or if no sequence has
///         the wanted line of markup; Error{usage} for a table of tracks beside those of
///         structures.
FamilyInput family_of_inputs(const FamilySource& source, std::vector<InputText> inputs,
                             FamilyUse use = FamilyUse::numbers);

/// family_of_inputs() of read_inputs(); only one text is in memory at a time, or, of structures,
/// which all threads read side by side, 16 for each thread.
FamilyInput read_family(const FamilySource& source, bool with_checksums = false,
                        FamilyUse use = FamilyUse::numbers);

/// Makes a family of the records. The type is that of the source, or else the type that the letters
/// suggest. `label` names the family in messages. The first `directed` sequences are never turned;
/// the directions of the other sequences are compared with theirs.
/// If the source does not use tracks, the tracks of structures are left out, with a warning. A
/// family with tracks of structures is of proteins.
/// Warns of sequences that were turned, or look as if they should be; of a type that is only
/// slightly more likely than the other; of sequences without a known residue; and, if the source
/// shows names, of names that unique_names changes.
///
/// Throws  Error{bad_input} for nucleotides and proteins together, unless the source sets a type;
///         as add_tracks; Error{usage} for a file of tracks if the source does not take it, for
///         tracks of many families, for lines of markup that no input has, for tracks whose table
///         is for other residues, for structures of nucleotides, or if nucleotide sequences with
///         tracks may be turned round.
SequenceSet make_family(std::vector<SequenceRecord> records, const FamilySource& source,
                        const std::string& label, std::size_t directed = 0);

/// Returns the source for reading rows of an alignment, which cannot be turned.
/// Throws  Error{usage} if the source asks to turn sequences.
FamilySource source_of_rows(FamilySource source, const std::string& label);

/// Refuses a family that has more or longer sequences than the source allows.
/// Throws  Error{bad_input}
void check_size(const SequenceSet& set, const FamilySource& source, const std::string& label);

}  // namespace accord
