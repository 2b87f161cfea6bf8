// SPDX-License-Identifier: Apache-2.0
// Random alignments through all formats: what a format can hold comes back as it was.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <random>

#include "io/families/aligned_reader.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Random = std::mt19937;
using enum AlignmentFormat;

std::size_t draw(Random& random, std::size_t least, std::size_t most) {
  return least + random() % (most - least + 1);
}

char one_of(Random& random, std::string_view letters) { return letters[random() % letters.size()]; }

std::string text_of_letters(Random& random, std::string_view letters, std::size_t count) {
  std::string text;
  while (text.size() < count) text += one_of(random, letters);
  return text;
}

/// What is in the files that are compared.
struct Case {
  std::vector<std::string> names, descriptions, rows;
  AlignmentNotes notes;
};

/// Match columns in upper case, insert columns in lower case: A3M has the letters of an insert side
/// by side, at its left, and each of its columns has one.
void fill_rows(Random& random, const std::vector<bool>& is_match, std::vector<std::string>& rows) {
  for (std::size_t c = 0; c < is_match.size();) {
    std::size_t end = c + 1;
    while (!is_match[c] && end < is_match.size() && !is_match[end]) ++end;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (is_match[c]) {
        if (random() % 3 != 0) rows[r][c] = one_of(random, "ACDEFGHIKLMNPQRSTVWYBZXU*?");
        continue;
      }
      const std::size_t filled = r == 0 ? end : draw(random, c, end);
      for (std::size_t at = c; at < filled; ++at) {
        rows[r][at] = one_of(random, "acdefghiklmnpqrstvwy");
      }
    }
    c = end;
  }
}

/// Rows with match columns in upper case, insert columns in lower case, and markup of all kinds.
Case random_case(Random& random, bool has_blanks) {
  Case made;
  const std::size_t rows = draw(random, 1, 6), columns = draw(random, 1, 130);
  for (std::size_t r = 0; r < rows; ++r) {
    const std::string_view first[] = {"n", "!", ">", ";", "\"", "/", "\xc3\xa9", "\xe6\x97\xa5"};
    std::string name = std::string(first[random() % std::size(first)]) + std::to_string(r) +
                       one_of(random, "_|/.-=") +
                       text_of_letters(random, "aB9'\"(),:;[]#~", draw(random, 0, 20));
    if (has_blanks && random() % 2 == 0) name += " x" + std::to_string(draw(random, 0, 1));
    made.names.push_back(name);
    made.descriptions.push_back(random() % 2 == 0 ? "" : "two  words " + std::to_string(r));
    made.rows.emplace_back(columns, '-');
  }
  for (std::size_t c = 0; c < columns; ++c) made.notes.match_columns.push_back(random() % 4 != 0);
  fill_rows(random, made.notes.match_columns, made.rows);
  StockholmMarkup& markup = made.notes.markup;
  markup.of_file = {"ID x", "CC   some  words"};
  markup.of_columns.push_back({{}, "SS_cons", text_of_letters(random, "<>.HE", columns)});
  std::string predicted = text_of_letters(random, "HEC", columns);
  for (std::size_t c = 0; c < columns; ++c) {
    if (!made.notes.match_columns[c]) predicted[c] = '.';
  }
  markup.of_columns.push_back({{}, "ss_pred", predicted});
  markup.of_sequences.push_back({made.names[0], "AC P1.2"});
  markup.of_residues.push_back({made.names[0], "SS", text_of_letters(random, "HEC.", columns)});
  return made;
}

AlignmentText written_text(const Case& made) {
  std::vector<SequenceRecord> records;
  Msa msa;
  for (std::size_t r = 0; r < made.rows.size(); ++r) {
    SequenceRecord record{made.names[r], made.rows[r], made.names[r].size()};
    if (!made.descriptions[r].empty()) record.header += " " + made.descriptions[r];
    std::erase(record.letters, '-');
    records.push_back(record);
  }
  const SequenceSet set(std::move(records), ResidueType::protein);
  msa.columns = static_cast<std::uint32_t>(made.rows[0].size());
  msa.column_of.resize(set.size());
  for (std::size_t r = 0; r < made.rows.size(); ++r) {
    for (std::uint32_t c = 0; c < msa.columns; ++c) {
      if (made.rows[r][c] != '-') msa.column_of[set.from_input(r)].push_back(c);
    }
  }
  AlignmentText text = make_alignment_text(set, msa);
  text.match_columns = made.notes.match_columns;
  text.markup = made.notes.markup;
  return text;
}

bool same_lines(const std::vector<StockholmMarkup::Columns>& a,
                const std::vector<StockholmMarkup::Columns>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.name == y.name && x.tag == y.tag && x.text == y.text;
  });
}

AlignedFamily read_again(const ScratchDirectory& scratch, const AlignmentText& text,
                         AlignmentFormat format, std::optional<std::size_t> wrap) {
  const std::string file =
      scratch.write("x." + std::string(format_name(format)), format_alignment(text, format, wrap));
  FamilySource source;
  source.type = ResidueType::protein;
  // Names with blanks are in columns, which a reader must know of if letters could follow them.
  if (format == phylip_strict) source.reading.format = format;
  return read_aligned(file, source);
}

bool keeps_blanks(AlignmentFormat format) { return format == nexus || format == json; }
bool keeps_matches(AlignmentFormat format) {
  return format == a2m || format == a3m || format == stockholm;
}
bool keeps_descriptions(AlignmentFormat format) {
  return format == fasta || keeps_matches(format) || format == json;
}

}  // namespace

TEST_CASE("formats: random alignments keep rows, names, match columns and markup") {
  const ScratchDirectory scratch;
  const WarningCatcher quiet;
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const bool has_blanks = seed % 3 == 0;
    const Case made = random_case(random, has_blanks);
    const AlignmentText text = written_text(made);
    for (const AlignmentFormat format :
         {fasta, clustal, stockholm, phylip, phylip_strict, msf, nexus, a2m, a3m, json}) {
      CAPTURE(format_name(format));
      const std::optional<std::size_t> wraps[] = {std::nullopt, 0, draw(random, 1, 70)};
      const AlignedFamily read = read_again(scratch, text, format, wraps[random() % 3]);
      CHECK(read.format == format);
      CHECK(read.rows == made.rows);
      const AlignmentText again = text_of(read);
      if (format != phylip_strict) {
        CHECK(again.names == text.names);
        if (keeps_blanks(format)) CHECK(again.whole_names == text.whole_names);
        if (keeps_descriptions(format)) CHECK(again.headers == text.headers);
      }
      if (!keeps_matches(format)) continue;
      CHECK(read.notes.match_columns == made.notes.match_columns);
      const StockholmMarkup& markup = read.notes.markup;
      if (format == stockholm) {
        CHECK(markup.of_file == made.notes.markup.of_file);
        if (!has_blanks) {
          REQUIRE(markup.of_sequences.size() == 1);
          CHECK(markup.of_sequences[0].text == "AC P1.2");
          CHECK(same_lines(markup.of_residues, made.notes.markup.of_residues));
        }
        CHECK(same_lines({markup.of_columns.begin(), markup.of_columns.begin() + 2},
                         made.notes.markup.of_columns));
      } else {
        CHECK(same_lines(markup.of_columns, {made.notes.markup.of_columns[1]}));
      }
      // From here to the other two formats that have match columns.
      for (const AlignmentFormat other : {stockholm, a2m, a3m}) {
        CAPTURE(format_name(other));
        const AlignedFamily third = read_again(scratch, again, other, std::nullopt);
        CHECK(third.rows == made.rows);
        CHECK(third.notes.match_columns == made.notes.match_columns);
        CHECK(third.notes.markup.columns_tagged("ss_pred")->text ==
              made.notes.markup.of_columns[1].text);
      }
    }
  }
}

TEST_CASE("formats: what is read of a format is written as it was") {
  const ScratchDirectory scratch;
  const WarningCatcher quiet;
  for (std::uint32_t seed = 200; seed < 260; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const bool has_blanks = seed % 3 == 0;
    const AlignmentText text = written_text(random_case(random, has_blanks));
    for (const AlignmentFormat format :
         {fasta, clustal, stockholm, phylip, phylip_strict, msf, nexus, a2m, a3m, json}) {
      CAPTURE(format_name(format));
      const std::optional<std::size_t> wrap = draw(random, 0, 70);
      const auto bytes_of = [&](const AlignmentText& one) {
        return format_alignment(one, format, wrap);
      };
      const AlignmentText once = text_of(read_again(scratch, text, format, wrap));
      const AlignmentText twice = text_of(read_again(scratch, once, format, wrap));
      // Markup of a row whose name has blanks is not in the first text.
      if (!has_blanks) CHECK(bytes_of(once) == bytes_of(text));
      CHECK(bytes_of(twice) == bytes_of(once));
    }
  }
}

TEST_CASE("formats: chains of formats keep what each of them holds") {
  const ScratchDirectory scratch;
  const WarningCatcher quiet;
  const AlignmentFormat formats[] = {fasta, clustal, stockholm, phylip, msf, nexus, a2m, a3m, json};
  for (std::uint32_t seed = 300; seed < 400; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Case made = random_case(random, false);
    const AlignmentText first = written_text(made);
    AlignmentText text = first;
    bool has_matches = true, has_descriptions = true, has_markup = true;
    std::string chain;
    for (std::size_t step = draw(random, 2, 5); step > 0; --step) {
      const AlignmentFormat format = formats[random() % std::size(formats)];
      // Without match columns the writers of A2M and A3M choose some, and the case of letters.
      if (!has_matches && (format == a2m || format == a3m)) continue;
      chain += " " + std::string(format_name(format));
      CAPTURE(chain);
      const AlignedFamily read = read_again(scratch, text, format, draw(random, 0, 70));
      text = text_of(read);
      has_matches = has_matches && keeps_matches(format);
      has_descriptions = has_descriptions && keeps_descriptions(format);
      has_markup = has_markup && format == stockholm;
      CHECK(read.rows == made.rows);
      CHECK(text.names == first.names);
      if (has_descriptions) CHECK(text.headers == first.headers);
      if (has_matches) CHECK(text.match_columns == made.notes.match_columns);
      if (!has_markup) continue;
      CHECK(text.markup.of_file == made.notes.markup.of_file);
      CHECK(same_lines(text.markup.of_residues, made.notes.markup.of_residues));
    }
  }
}

/// Whether each '<' has its '>'.
bool is_balanced(const std::string& structure) {
  int open = 0;
  for (const char c : structure) {
    open += (c == '<') - (c == '>');
    if (open < 0) return false;
  }
  return open == 0;
}

TEST_CASE("formats: columns that are left out take match columns and markup along") {
  int balanced = 0;
  const ScratchDirectory scratch;
  const WarningCatcher quiet;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const AlignedFamily read =
        read_again(scratch, written_text(random_case(random, false)), stockholm, std::nullopt);
    const std::vector<bool> used = used_columns(read);
    const AlignmentText text = text_of(read, used, {}, nullptr);
    CHECK(text.columns == static_cast<std::size_t>(std::count(used.begin(), used.end(), true)));
    REQUIRE(text.match_columns.size() == text.columns);
    std::size_t next = 0;
    for (std::size_t c = 0; c < used.size(); ++c) {
      if (!used[c]) continue;
      CHECK(text.match_columns[next] == read.notes.match_columns[c]);
      // A base whose partner has gone becomes unpaired.
      const char kept = text.markup.of_columns[0].text[next];
      const char given = read.notes.markup.of_columns[0].text[c];
      CHECK((kept == given || (kept == '.' && (given == '<' || given == '>'))));
      ++next;
    }
    if (is_balanced(read.notes.markup.of_columns[0].text)) {
      CHECK(is_balanced(text.markup.of_columns[0].text));
      ++balanced;
    }
  }
  CHECK(balanced > 0);
}
