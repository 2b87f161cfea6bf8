// SPDX-License-Identifier: Apache-2.0
#include "io/track_reader.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/dot_bracket.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/fasta.hpp"

namespace accord {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& hint) {
  throw Error(ErrorKind::bad_input, text, hint);
}

/// Whether a character is no letter of a track whose table has these letters: a gap, or a blank.
bool is_left_out(char c, std::string_view letters) {
  if (c == '.') return letters.find(c) == letters.npos;
  return c == '-' || c == '~' || c == ' ' || c == '\t' || c == '\r';
}

/// The place of the record of each name. Names of several records have the place kTwice.
class RecordsByName {
 public:
  explicit RecordsByName(const std::vector<SequenceRecord>& records) {
    for (std::size_t k = 0; k < records.size(); ++k) {
      const auto [at, is_new] = places_.try_emplace(std::string(records[k].name()), k);
      if (!is_new) at->second = kTwice;
    }
  }

  static constexpr std::size_t kTwice = SIZE_MAX;

  std::optional<std::size_t> find(const std::string& name) const {
    const auto at = places_.find(name);
    return at == places_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  std::unordered_map<std::string, std::size_t> places_;
};

/// The letters of a track for its sequence.
std::string letters_of(const NamedTrack& track, const SequenceRecord& record,
                       const TrackTable& table, const std::string& file) {
  const bool is_dot_bracket = table.has_dot_brackets();
  const std::string what = file + ": the track of " + quote(track.name) + " has ";
  if (track.letters.size() != record.letters.size()) {
    refuse(what + counted(track.letters.size(), "letter") + ", the sequence " +
               counted(record.letters.size(), "residue"),
           track.has_left_out
               ? std::string("gaps and blanks are left out; write another letter, such as ") +
                     (is_dot_bracket ? ". for unpaired" : "C for coil")
               : "a track has a letter for each residue, ? where nothing is known");
  }
  std::string letters =
      is_dot_bracket ? plain_dot_bracket(track.letters, table.letters, what) : track.letters;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    if (letter == kUnknownTrackLetter || table.place_of(letter)) continue;
    refuse(what + "the letter " + quote(std::string(1, letter)) + " for residue " +
               std::to_string(i + 1) + ", which the table " + table.name + " does not know",
           "its letters are " + table.letters + ", and ? for unknown; case matters");
  }
  return letters;
}

}  // namespace

std::vector<std::string> TrackSource::files() const {
  std::vector<std::string> named;
  if (file) named.push_back(file->name);
  const bool is_built_in =
      table == nullptr ||
      std::ranges::find(built_in_track_tables(), table->name) != built_in_track_tables().end();
  if (!is_built_in) named.push_back(table->name);
  return named;
}

std::vector<NamedTrack> parse_tracks(std::string_view text, const std::string& label,
                                     std::string_view letters) {
  std::vector<NamedTrack> tracks;
  std::set<std::string> names;
  LineReader lines(text);
  while (lines.next()) {
    const std::string_view line = lines.line();
    const std::string place = label + ":" + std::to_string(lines.number()) + ": ";
    if (line.starts_with('>')) {
      NamedTrack track;
      track.name = header_name(line.substr(1));
      if (track.name.empty())
        refuse(place + "a track without a name", "write >NAME in front of it");
      if (!names.insert(track.name).second) {
        refuse(place + "a second track of " + quote(track.name), "leave one of the two out");
      }
      tracks.push_back(std::move(track));
      continue;
    }
    if (line.starts_with(';')) continue;  // a comment
    for (const char c : line) {
      if (is_left_out(c, letters)) {
        if (!tracks.empty()) tracks.back().has_left_out = true;
        continue;
      }
      if (tracks.empty()) refuse(place + "letters before the first name", "tracks are FASTA");
      tracks.back().letters += c;
    }
  }
  if (tracks.empty())
    refuse(label + ": no tracks", "tracks are FASTA, with the names of sequences");
  return tracks;
}

void add_tracks(std::vector<SequenceRecord>& records, const TrackSource& source,
                const std::string& label) {
  const std::string file = input_label(source.file->name);
  if (source.table == nullptr) {
    throw Error(ErrorKind::usage, file + ": tracks, and no table of log odds for their letters",
                "add {track-matrix} " + listed(built_in_track_tables()) + ", or a file");
  }
  const std::vector<NamedTrack> tracks =
      parse_tracks(source.file->text, file, source.table->letters);
  const RecordsByName by_name(records);
  const auto is_strange = [&](const NamedTrack& track) { return !by_name.find(track.name); };
  const auto strange = std::ranges::find_if(tracks, is_strange);
  if (std::ranges::all_of(tracks, is_strange)) {
    refuse(file + ": none of " + counted(tracks.size(), "name") + " is that of a sequence of " +
               label + "; the first is " + quote(tracks.front().name),
           "tracks have the names of the sequences");
  }
  if (strange != tracks.end()) {
    refuse(file + ": a track of " + quote(strange->name) + ", which is no sequence of " + label,
           "leave the track out, or add the sequence");
  }
  for (SequenceRecord& record : records) record.track.clear();
  for (const NamedTrack& track : tracks) {
    const std::size_t place = *by_name.find(track.name);
    if (place == RecordsByName::kTwice) {
      refuse(file + ": a track of " + quote(track.name) + ", and two sequences of that name in " +
                 label,
             "give the sequences different names");
    }
    records[place].track = letters_of(track, records[place], *source.table, file);
  }
}

}  // namespace accord
