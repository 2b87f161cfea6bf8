// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/stockholm_markup.hpp"
#include "models/track_table.hpp"
#include "options/option_field.hpp"

namespace accord {

/// The source of the tracks of a family, and the table and weight with which they are used.
struct TrackSource {
  std::optional<OptionFile> file;  ///< the tracks; of a tag, read_family makes it
  std::string tag;                 ///< lines of markup with this tag are the tracks, if set
  bool is_of_columns = false;  ///< whether these are `#=GC TAG` of all rows, else `#=GR NAME TAG`
  std::string of_families;  ///< for a batch: a folder of files, or a path with `{}` for each name
  bool is_of_structures = false;            ///< without a file: structures have the tracks
  std::shared_ptr<const TrackTable> table;  ///< the log odds of the letters of the tracks
  std::optional<double> weight;             ///< weight of the tracks; none: it is estimated

  /// Whether some sequence may have a track.
  bool has_tracks() const { return file || !tag.empty() || is_of_structures; }
  /// The lines of markup that are the tracks, in words: "#=GR SS"; `tag` must be set.
  std::string lines() const { return (is_of_columns ? "#=GC " : "#=GR ") + tag; }
  /// The same as set_tracks() takes it: "GR:SS".
  std::string lines_option() const { return (is_of_columns ? "GC:" : "GR:") + tag; }
  /// The files of the tracks and of the table that the user named; a built-in table has none.
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
/// white space, and lines that begin with `;`. If the letters are dot-brackets, the file may be
/// that of RNAfold: the sequence above each structure, and energies and further structures behind
/// the first one are left out, too. `label` names the text in messages.
/// Throws  Error{bad_input} for letters in front of the first record, a record without a name, two
///         records of one name, or a text without a record.
std::vector<NamedTrack> parse_tracks(std::string_view text, const std::string& label,
                                     std::string_view letters = {});

/// Sets where the tracks are, in place of what the source has. `GR:TAG` means the lines `#=GR NAME
/// TAG` of the inputs, and `GC:TAG` the lines `#=GC TAG`; a folder, or a path with `{}`, has a file
/// for each family of a batch; every other text is the name of a file, which is read. An empty text
/// means no tracks.
/// Throws  as read_text; Error{usage} for `GR:` or `GC:` without a tag.
void set_tracks(const std::string& text, TrackSource& source);

/// Makes tracks of the lines of markup that the source names, `#=GR NAME TAG` of each record, or
/// `#=GC TAG` of all of them. The records are aligned, and their gaps are still in them. A residue
/// has the letter in its column. Where this is a gap (`-`, `.`, `_` or `~`) and no letter of the
/// table, the residue is unknown; but for a table of dot-brackets it is unpaired (only `~` is
/// unknown), and for ss3 `-` is the blank of DSSP. A bracket whose partner stands at a gap of the
/// row is unpaired. `label` names the input in messages.
/// Returns  FASTA as add_tracks takes it, without records that have no such line; maybe empty.
/// Throws  as add_tracks for a table that is not set and for letters.
std::string tracks_of_markup(const StockholmMarkup& markup,
                             const std::vector<SequenceRecord>& records, const TrackSource& source,
                             const std::string& label);

/// Collects the tracks of lines of markup from the inputs of a family.
class MarkupTracks {
 public:
  /// Adds tracks_of_markup(), if the source has a tag.
  void add(const StockholmMarkup& markup, const std::vector<SequenceRecord>& records,
           const TrackSource& source, const std::string& label);
  /// Makes these tracks the file of the source, if the source has a tag. `label` names the family.
  /// Throws  Error{bad_input} if there are no tracks.
  void give_to(TrackSource& source, const std::string& label);

 private:
  std::string text_;            // FASTA
  std::set<std::string> tags_;  // of all such lines
};

/// Gives the records their tracks, by name, in place of those that they have. A record that is not
/// in the file gets an empty track. Dot-bracket strings (see TrackTable::has_dot_brackets) become
/// read_dot_bracket, and letters of DSSP those of ss3 (see TrackTable::takes_dssp). `label` names
/// the sequences in messages.
/// Throws  Error{usage} if the source has no table; as parse_tracks; Error{bad_input} if none or
///         only some of the names in the file are those of records, if two records have the name of
///         a track, if a track has another length than its sequence, if it has a letter that is
///         neither `?` nor in the table, or if a bracket of a dot-bracket string has no partner.
void add_tracks(std::vector<SequenceRecord>& records, const TrackSource& source,
                const std::string& label);

}  // namespace accord
