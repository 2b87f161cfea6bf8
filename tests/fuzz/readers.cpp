// SPDX-License-Identifier: Apache-2.0
#include "fuzz/readers.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "accord/base/error.hpp"
#include "core/alphabet.hpp"
#include "io/families/coding_features.hpp"
#include "io/families/track_reader.hpp"
#include "io/files/packing.hpp"
#include "io/files/reading_memory.hpp"
#include "io/formats/efa.hpp"
#include "io/formats/formats.hpp"
#include "io/formats/named_alignments.hpp"
#include "io/trees/distance_reader.hpp"
#include "io/trees/newick.hpp"

namespace accord::testing {
namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// An input that is wrong, or needs more memory than reading may take.
void require_refusal(const Error& error) {
  require(error.kind() == ErrorKind::bad_input || error.kind() == ErrorKind::out_of_memory,
          "an error of the input");
}

/// What stands for records, however they were read.
void check_records(const std::vector<SequenceRecord>& records, std::string_view bytes) {
  require(!records.empty(), "records or an error");
  std::size_t letters = 0;
  for (const SequenceRecord& record : records) {
    for (const char c : record.letters) {
      require(is_sequence_letter(c) || c == '-' || c == '.', "only letters and gaps");
      letters += is_sequence_letter(c);
    }
  }
  require(letters <= bytes.size(), "no letters from nowhere");
}

/// What a file says beside its rows fits them.
void check_notes(AlignmentFormat format, std::string_view bytes,
                 const std::vector<SequenceRecord>& records) {
  const AlignmentNotes notes = parse_notes(bytes, format, "in", records);
  const std::size_t columns = records[0].letters.size();
  require(notes.match_columns.empty() || notes.match_columns.size() == columns,
          "a mark for each column");
  for (const StockholmMarkup::Columns& line : notes.markup.of_columns) {
    require(line.text.size() == columns, "a character for each column");
  }
  // Without every other column.
  std::vector<bool> kept(columns);
  for (std::size_t c = 0; c < columns; c += 2) kept[c] = true;
  StockholmMarkup half = notes.markup;
  half.keep_columns(kept);
  StockholmMarkup both = notes.markup;
  add_markup(both, notes.markup);
  require(both.of_columns.size() == notes.markup.of_columns.size(), "no line twice");
}

/// The lenient reader reads whatever the strict one does, to the same records.
void read_records(AlignmentFormat format, std::string_view bytes) {
  OddCharacters odd;
  std::vector<SequenceRecord> lenient;
  try {
    lenient = parse_records(bytes, format, "in", &odd);
    check_records(lenient, bytes);
  } catch (const Error& error) {
    require_refusal(error);
  }
  const std::vector<SequenceRecord> records = parse_records(bytes, format, "in");
  check_records(records, bytes);
  require(odd.count() == 0 && lenient.size() == records.size(), "lenient reads what strict does");
  for (std::size_t k = 0; k < records.size(); ++k) {
    require(lenient[k].letters == records[k].letters, "the same letters");
  }
  check_notes(format, bytes, records);
}

/// A tree of the leaves a, b, c and d, if that is what the text is.
void read_tree(std::string_view bytes) {
  const SequenceSet set({{"a", "MKV"}, {"b", "MK"}, {"c", "M"}, {"d", ""}}, ResidueType::protein);
  NewickNotes notes, again;
  const GuideTree tree = parse_newick(bytes, "in", set, NewickLengths::any, &notes);
  require(tree.leaves == 4 && tree.left.size() == 3 && tree.right.size() == 3, "a whole tree");
  std::vector<int> parents(tree.nodes(), 0);
  for (std::size_t k = 0; k < 3; ++k) {
    require(tree.left[k] < 4 + k && tree.right[k] < 4 + k, "children before parents");
    ++parents[tree.left[k]];
    ++parents[tree.right[k]];
  }
  require(std::count(parents.begin(), parents.end(), 1) == 6, "every node once");
  const std::string text = format_newick(tree, set);
  require(format_newick(parse_newick(text, "out", set), set) == text, "a tree that can be read");
  const std::string whole = format_newick(tree, set, notes);
  const GuideTree other = parse_newick(whole, "out", set, NewickLengths::any, &again);
  require(format_newick(other, set, again) == whole, "notes that can be read");
}

void read_distances(std::string_view bytes) {
  const NamedDistances named = parse_distances(bytes, "in");
  require(named.names.size() == named.distances.size(), "a name for each row");
}

/// Coding sequences of GenBank or EMBL have letters of their record.
void read_coding(std::string_view bytes) {
  for (const bool is_embl : {false, true}) {
    try {
      for (const SequenceRecord& record :
           coding_records(parse_flat_file(bytes, is_embl, "in", nullptr), "in")) {
        require(!record.letters.empty(), "bases of a location");
      }
    } catch (const Error& error) {
      require(error.kind() == ErrorKind::bad_input, "an error of bad input");
    }
  }
}

/// The chains of a structure, each with a letter of its secondary structure for each residue.
void read_structure(AlignmentFormat format, std::string_view bytes) {
  const std::vector<SequenceRecord> records = parse_records(bytes, format, "in");
  check_records(records, bytes);
  for (const SequenceRecord& record : records) {
    require(record.letters.size() == record.track.size(), "a letter for each residue");
    require(record.track.find_first_not_of("HEC?") == record.track.npos, "letters of ss3");
  }
}

/// Tracks, perhaps of RNAfold, in the letters of dot-brackets; then in those of another table.
void read_tracks(std::string_view bytes) {
  for (const NamedTrack& track : parse_tracks(bytes, "in", "().")) {
    require(track.letters.find_first_of("-~ \t\r\n") == track.letters.npos, "letters alone");
  }
  std::vector<std::string> names;
  for (const NamedTrack& track : parse_tracks(bytes, "in")) {
    require(!track.name.empty(), "a name for each track");
    require(track.letters.find_first_of("-.~ \t\r\n") == track.letters.npos, "letters alone");
    names.push_back(track.name);
  }
  std::ranges::sort(names);
  require(!names.empty() && std::ranges::adjacent_find(names) == names.end(), "different names");
}

/// Each replicate of an ensemble is a part of the text, and is read as records by its name.
void read_replicates(std::string_view bytes) {
  const std::vector<EfaReplicate> replicates = efa_replicates(bytes);
  require(replicates.empty() != is_efa(bytes), "replicates of EFA alone");
  std::size_t letters = 0;
  for (const EfaReplicate& replicate : replicates) {
    letters += replicate.name.size() + replicate.rows.size();
    require(replicate.rows.find("\n<") == replicate.rows.npos, "one replicate");
    const std::string name(replicate.name);
    const auto named = std::ranges::count(replicates, replicate.name, &EfaReplicate::name);
    if (named == 1 && !name.empty()) {
      require(text_of_alignment(bytes, "in", name).text == replicate.rows, "found by its name");
    }
    try {
      check_records(parse_records(replicate.rows, AlignmentFormat::fasta, "in"), bytes);
    } catch (const Error& error) {
      require(error.kind() == ErrorKind::bad_input, "an error of bad input");
    }
  }
  require(letters <= bytes.size(), "no letters from nowhere");
}

void read_one(std::string_view reader, std::string_view bytes) {
  if (reader == "newick") return read_tree(bytes);
  if (reader == "distances") return read_distances(bytes);
  if (reader == "coding") return read_coding(bytes);
  if (reader == "track") return read_tracks(bytes);
  if (reader == "efa") return read_replicates(bytes);
  if (reader == "packed") {
    const Packing packing = packing_of(bytes);
    if (packing != Packing::none) unpack(packing, bytes, "in");
    return;
  }
  const std::optional<AlignmentFormat> format =
      reader == "any" ? detect_format(bytes) : format_named(reader);
  if (!format) return;
  if (is_structure(*format)) {
    read_structure(*format, bytes);
  } else {
    read_records(*format, bytes);
  }
}

}  // namespace

std::vector<std::string> fuzzed_readers() {
  return {"fasta",     "clustal", "stockholm", "phylip",  "msf",   "nexus",  "a3m", "json",
          "pir",       "selex",   "fastq",     "genbank", "embl",  "coding", "any", "newick",
          "distances", "packed",  "pdb",       "mmcif",   "track", "efa"};
}

void read_bytes(std::string_view reader, std::string_view bytes) {
  const ReadingScope scope(std::size_t{1} << 29);
  try {
    read_one(reader, bytes);
  } catch (const Error& error) {
    require_refusal(error);
    const std::string text = error.what();
    require(!text.empty() && text.find('\n') == text.npos, "a message of one line");
  }
}

}  // namespace accord::testing
