// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "models/track_table.hpp"
#include "options/option_field.hpp"

namespace accord {

/// The source of the tracks of a family, and the table and weight with which they are used.
struct TrackSource {
  std::optional<OptionFile> file;           ///< the file of the tracks
  bool is_of_structures = false;            ///< the tracks come with structures, not from a file
  std::shared_ptr<const TrackTable> table;  ///< the log odds of the letters of the tracks
  std::optional<double> weight;             ///< weight of the tracks; none: it is estimated

  /// Whether some sequence may have a track.
  bool has_tracks() const { return file || is_of_structures; }
  /// The files of the tracks and of the table; a built-in table has none.
  std::vector<std::string> files() const;
};

/// The track of a sequence as it was read.
struct NamedTrack {
  std::string name;
  std::string letters;        ///< without gaps; case as in the file
  bool has_left_out = false;  ///< the file has gaps or white space between the letters
};

/// Reads the records of a FASTA text with tracks in place of sequences. `letters` are the letters
/// of the table. The function leaves out gaps (`-`, `~`, and `.` if it is not among `letters`),
/// white space, and lines that begin with `;`. `label` names the text in messages.
/// Throws  Error{bad_input} for letters in front of the first record, a record without a name, two
///         records of one name, or a text without a record.
std::vector<NamedTrack> parse_tracks(std::string_view text, const std::string& label,
                                     std::string_view letters = {});

/// Sets the tracks of the records to those of the file of the source, by name. `source.file` must
/// be set. A record that is not in the file gets an empty track. Dot-bracket strings (see
/// TrackTable::has_dot_brackets) become plain_dot_bracket(). `label` names the sequences in
/// messages.
/// Throws  Error{usage} if the source has no table; as parse_tracks; Error{bad_input} if none or
///         only some of the names in the file are those of records, if two records have the name of
///         a track, if a track has another length than its sequence, if it has a letter that is
///         neither `?` nor in the table, or if a bracket of a dot-bracket string has no partner.
void add_tracks(std::vector<SequenceRecord>& records, const TrackSource& source,
                const std::string& label);

}  // namespace accord
