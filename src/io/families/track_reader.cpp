// SPDX-License-Identifier: Apache-2.0
#include "io/families/track_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/dot_bracket.hpp"
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

/// The letter of ss3 for one of DSSP; `X` is unknown, as in Pfam, and others stay.
char three_state_letter(char c) {
  constexpr std::string_view kFrom = "GIBTSPX", kTo = "HHECCC?";
  const std::size_t at = kFrom.find(c);
  return at == kFrom.npos ? c : kTo[at];
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

/// Gives a record the letters of its track, and the base pairs of a dot-bracket string.
void add_track(const NamedTrack& track, const TrackTable& table, const std::string& file,
               SequenceRecord& record) {
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
  DotBracket read = is_dot_bracket ? read_dot_bracket(track.letters, table.letters, what)
                                   : DotBracket{track.letters, {}};
  std::string& letters = read.letters;
  if (table.takes_dssp()) std::ranges::transform(letters, letters.begin(), three_state_letter);
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const char letter = letters[i];
    if (letter == kUnknownTrackLetter || table.place_of(letter)) continue;
    refuse(what + "the letter " + quote(std::string(1, letter)) + " for residue " +
               std::to_string(i + 1) + ", which the table " + table.name + " does not know",
           "its letters are " + table.letters + ", and ? for unknown; case matters");
  }
  record.track = std::move(letters);
  record.base_pairs = std::move(read.pairs);
}

/// Throws if the source has no table. `what` names the tracks.
void check_table(const TrackSource& source, const std::string& what) {
  if (source.table != nullptr) return;
  throw Error(ErrorKind::usage, what + ": tracks, and no table of log odds for their letters",
              "add {track-matrix} " + listed(built_in_track_tables()) + ", or a file");
}

/// The letter of a track for a residue in whose column a line of markup has the character c.
char letter_in_column(char c, const TrackTable& table) {
  if (table.place_of(c) || std::string_view("-._~ ").find(c) == std::string_view::npos) return c;
  if (table.has_dot_brackets() && c != '~' && c != ' ') return '.';
  return table.takes_dssp() && c == '-' ? 'C' : kUnknownTrackLetter;
}

/// The track that a line of markup is for a row. `what` names the line in messages.
NamedTrack track_of_line(const StockholmMarkup::Columns& line, const SequenceRecord& row,
                         const TrackTable& table, const std::string& what) {
  if (line.text.size() != row.letters.size()) {
    refuse(what + ": the line of " + quote(row.name()) + " has " +
               counted(line.text.size(), "character") + " for " +
               counted(row.letters.size(), "column"),
           "characters that {lenient} leaves out of a row shift its columns");
  }
  std::vector<bool> is_residue;
  for (const char c : row.letters) is_residue.push_back(c != '-' && c != '.');
  NamedTrack track{std::string(row.name()), {}, false};
  if (table.has_dot_brackets()) {
    StockholmMarkup one;
    one.of_residues.push_back(line);
    one.keep_columns(is_residue);  // with the partners of brackets
    track.letters = std::move(one.of_residues.front().text);
  } else {
    for (std::size_t column = 0; column < line.text.size(); ++column) {
      if (is_residue[column]) track.letters += line.text[column];
    }
  }
  for (char& c : track.letters) c = letter_in_column(c, table);
  return track;
}

/// The lines of markup among which those of the source are.
const std::vector<StockholmMarkup::Columns>& lines_of(const StockholmMarkup& markup,
                                                      const TrackSource& source) {
  return source.is_of_columns ? markup.of_columns : markup.of_residues;
}

/// Whether a text has nothing but letters of nucleotides.
bool is_nucleotides(std::string_view text) {
  return !text.empty() && text.find_first_not_of("ACGTUNacgtun") == text.npos;
}

}  // namespace

std::vector<std::string> TrackSource::files() const {
  std::vector<std::string> named;
  if (file && tag.empty()) named.push_back(file->name);
  const bool is_built_in =
      table == nullptr ||
      std::ranges::find(built_in_track_tables(), table->name) != built_in_track_tables().end();
  if (!is_built_in) named.push_back(table->name);
  return named;
}

void set_tracks(const std::string& text, TrackSource& source) {
  constexpr std::string_view kOfRows = "GR:", kOfColumns = "GC:";
  source.file.reset();
  source.tag.clear();
  source.is_of_columns = text.starts_with(kOfColumns);
  source.of_families.clear();
  if (text.starts_with(kOfRows) || source.is_of_columns) {
    source.tag = text.substr(kOfRows.size());
    if (source.tag.empty()) {
      throw Error(ErrorKind::usage, "tracks " + text + ": no tag",
                  "write GR:TAG or GC:TAG, such as GR:SS");
    }
  } else if (text.find("{}") != text.npos || is_directory(text)) {
    source.of_families = text;
  } else if (!text.empty()) {
    source.file = OptionFile{text, read_text(text)};
  }
}

std::string tracks_of_markup(const StockholmMarkup& markup,
                             const std::vector<SequenceRecord>& records, const TrackSource& source,
                             const std::string& label) {
  const std::string what = label + ": " + source.lines();
  check_table(source, what);
  std::unordered_map<std::string_view, const StockholmMarkup::Columns*> lines;  // [name of a row]
  for (const StockholmMarkup::Columns& line : lines_of(markup, source)) {
    if (line.tag == source.tag) lines.emplace(line.name, &line);
  }
  std::string text;
  for (const SequenceRecord& record : records) {
    const auto line = lines.find(source.is_of_columns ? std::string_view() : record.name());
    if (line == lines.end()) continue;
    const NamedTrack track = track_of_line(*line->second, record, *source.table, what);
    SequenceRecord sequence = record;
    std::erase_if(sequence.letters, [](char c) { return c == '-' || c == '.'; });
    text.append(">").append(track.name).append("\n");
    add_track(track, *source.table, what, sequence);  // refuses what does not fit
    text.append(track.letters).append("\n");
  }
  return text;
}

void MarkupTracks::add(const StockholmMarkup& markup, const std::vector<SequenceRecord>& records,
                       const TrackSource& source, const std::string& label) {
  if (source.tag.empty()) return;
  text_ += tracks_of_markup(markup, records, source, label);
  for (const StockholmMarkup::Columns& line : lines_of(markup, source)) tags_.insert(line.tag);
}

void MarkupTracks::give_to(TrackSource& source, const std::string& label) {
  if (source.tag.empty()) return;
  if (text_.empty()) {
    const std::string mark = source.is_of_columns ? "#=GC" : "#=GR";
    refuse(label + ": no sequence has a line " + source.lines(),
           tags_.empty() ? "GR:TAG and GC:TAG are for Stockholm files with such lines"
                         : "its lines of " + mark + " have the tags " +
                               listed(std::vector<std::string>(tags_.begin(), tags_.end())));
  }
  source.file = OptionFile{label + ": " + source.lines(), std::move(text_)};
}

std::vector<NamedTrack> parse_tracks(std::string_view text, const std::string& label,
                                     std::string_view letters) {
  std::vector<NamedTrack> tracks;
  std::set<std::string> names;
  const bool has_brackets = letters.find('(') != letters.npos;
  bool is_of_fold = false;  // whether the current record is one of RNAfold
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
      is_of_fold = false;
      continue;
    }
    if (line.starts_with(';')) continue;  // a comment
    if (has_brackets && !tracks.empty()) {
      std::string& above = tracks.back().letters;
      const std::string_view structure = structure_in(line);
      if (!structure.empty() && is_nucleotides(above)) {
        above = structure;
        is_of_fold = true;
        continue;
      }
      if (is_of_fold) continue;
    }
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
  check_table(source, file);
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
    add_track(track, *source.table, file, records[place]);
  }
}

}  // namespace accord
