// SPDX-License-Identifier: Apache-2.0
#include "io/formats/formats.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "io/formats/fasta.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

/// An alignment text of these rows, with the confidence codes `codes` if there are any.
AlignmentText text_of(const Rows& rows, ResidueType type = ResidueType::protein) {
  AlignmentText text;
  text.type = type;
  text.columns = rows.empty() ? 0 : rows[0].second.size();
  for (const auto& [header, row] : rows) {
    text.headers.push_back(header);
    text.names.emplace_back(header_name(header));
    text.rows.push_back(row);
  }
  return text;
}

/// Names and rows as a reader sees them, `.` as `-`.
Rows parsed(const std::string& text, AlignmentFormat format) {
  Rows rows;
  for (const SequenceRecord& record : parse_records(text, format, "in")) {
    rows.emplace_back(record.header, record.letters);
    for (char& c : rows.back().second) c = c == '.' ? '-' : c;
  }
  return rows;
}

std::string complaint(const std::string& text, AlignmentFormat format) {
  const Error error = error_of([&] { parse_records(text, format, "in"); });
  CHECK(error.kind() == ErrorKind::bad_input);
  CHECK_FALSE(error.hint().empty());
  return error.what();
}

std::string row_of(std::size_t columns, std::size_t shift) {
  const std::string letters = "ACDEFGHIKLMNPQRSTVWY-bzxuojBZXUOJ*";
  std::string row;
  for (std::size_t c = 0; c < columns; ++c) row += letters[(c * 7 + shift) % letters.size()];
  return row;
}

}  // namespace

TEST_CASE("formats: what is written is read again, and known by its content") {
  for (const std::size_t columns : {1u, 9u, 50u, 59u, 60u, 61u, 123u}) {
    CAPTURE(columns);
    const Rows rows = {{"a", row_of(columns, 0)},
                       {"sp|P12345|NAME_HUMAN", row_of(columns, 5)},
                       {"x/1-20", row_of(columns, 11)}};
    for (const AlignmentFormat format :
         {AlignmentFormat::fasta, AlignmentFormat::clustal, AlignmentFormat::stockholm,
          AlignmentFormat::phylip, AlignmentFormat::msf, AlignmentFormat::nexus,
          AlignmentFormat::json}) {
      for (const std::optional<std::size_t> wrap :
           {std::optional<std::size_t>(), std::optional<std::size_t>(0),
            std::optional<std::size_t>(7)}) {
        CAPTURE(format_name(format));
        const std::string text = format_alignment(text_of(rows), format, wrap);
        CHECK(detect_format(text) == format);
        CHECK(parsed(text, format) == rows);
      }
    }
  }
}

TEST_CASE("formats: strict PHYLIP has names of ten characters, all different") {
  const Rows rows = {{"sequence_number_1", "AC-D"},
                     {"sequence_number_2", "ACED"},
                     {"a(b):c", "ACEE"},
                     {"short", "A--D"}};
  const std::string text = format_alignment(text_of(rows), AlignmentFormat::phylip_strict);
  CHECK(text == " 4 4\nsequence_nAC-D\nsequence_1ACED\na_b__c    ACEE\nshort     A--D\n");
  const Rows read = parsed(text, AlignmentFormat::phylip_strict);
  CHECK(read[1] == std::pair<std::string, std::string>("sequence_1", "ACED"));
  CHECK(parsed(text, AlignmentFormat::phylip) == read);  // told by what fits
}

TEST_CASE("PHYLIP: interleaved and sequential, names with and without room") {
  const Rows expected = {{"a", "ACDEFG"}, {"b", "AC-EFG"}};
  for (const char* text :
       {"2 6\na ACDEFG\nb AC-EFG\n", "  2   6 \na ACD\nb AC-\n\nEFG\nEFG\n",
        "2 6\na\nACD EFG\nb AC-\nEFG\n", "2 6\r\na         ACDEFG\r\nb         AC-EFG",
        "2 6\na  ACD\nEFG\nb  AC-\nEFG\n"}) {
    CAPTURE(text);
    CHECK(parsed(text, AlignmentFormat::phylip) == expected);
    CHECK(detect_format(text) == AlignmentFormat::phylip);
  }
  CHECK(complaint("2 6\na ACDEFG\n", AlignmentFormat::phylip).find("says 2") != std::string::npos);
  CHECK(complaint("2 6\na ACDEFG\nb ACD\n", AlignmentFormat::phylip).find("3 columns") !=
        std::string::npos);
  CHECK(complaint("two 6\n", AlignmentFormat::phylip).starts_with("in:1: not PHYLIP"));
  CHECK(complaint("", AlignmentFormat::phylip).find("not PHYLIP") != std::string::npos);
}

TEST_CASE("Stockholm: descriptions, blocks, markup that is not ours, confidence") {
  const std::string text =
      "# STOCKHOLM 1.0\n#=GF ID x\n#=GS b DE two  words\n#=GS b AC P1\n\na  AC.\nb  A-D\n#=GR b SS "
      "HHH\n#=GC RF xxx\n\na EF\nb EG\n//\n";
  CHECK(parsed(text, AlignmentFormat::stockholm) ==
        Rows{{"a", "AC-EF"}, {"b two  words", "A-DEG"}});
  CHECK(complaint("# STOCKHOLM 1.0\n//\n", AlignmentFormat::stockholm) == "in: there are no rows");
  CHECK(complaint(text + text, AlignmentFormat::stockholm).find("second alignment") !=
        std::string::npos);
  CHECK(
      complaint("# STOCKHOLM 1.0\na A7\n", AlignmentFormat::stockholm).starts_with("in:2: \"7\""));

  AlignmentText with_codes = text_of({{"a one", "AC-"}, {"longer", "A-D"}});
  with_codes.residue_codes = {"95", "*0"};
  with_codes.column_codes = "95.";
  const std::string written = format_alignment(with_codes, AlignmentFormat::stockholm);
  CHECK(written.find("\na              AC-\n#=GR a PP      95.\nlonger         A-D\n"
                     "#=GR longer PP *.0\n#=GC PP_cons   95.\n//\n") != std::string::npos);
  CHECK(parsed(written, AlignmentFormat::stockholm) == Rows{{"a one", "AC-"}, {"longer", "A-D"}});
  with_codes.residue_codes[0].reset();  // not known
  CHECK(format_alignment(with_codes, AlignmentFormat::stockholm)
            .find("\na              AC-\nlonger         A-D\n#=GR longer PP *.0\n") !=
        std::string::npos);
  const auto json = nlohmann::json::parse(format_alignment(with_codes, AlignmentFormat::json));
  CHECK_FALSE(json["sequences"][0].contains("posterior_code"));
  CHECK(json["sequences"][1]["posterior_code"] == "*.0");
}

TEST_CASE("MSF: checksums") {
  // By hand: (1*65 + 2*67 + 3*46) = 337 and (1*65 + 2*46 + 3*68) = 361.
  const std::string text =
      format_alignment(text_of({{"a", "Ac-"}, {"b", "A-D"}}), AlignmentFormat::msf);
  CHECK(text.find("Name: a  Len: 3  Check: 337  ") != std::string::npos);
  CHECK(text.find("Name: b  Len: 3  Check: 361  ") != std::string::npos);
  CHECK(text.find("MSF: 3  Type: P  Check: 698 ..") != std::string::npos);
}

TEST_CASE("A2M and A3M: match and insert columns") {
  const AlignmentText text = text_of({{"a x", "A-CD"}, {"b", "-eCd"}, {"c", "--C-"}});
  CHECK(format_alignment(text, AlignmentFormat::a2m) == ">a x\na.CD\n>b\n.eCD\n>c\n..C-\n");
  CHECK(format_alignment(text, AlignmentFormat::a3m) == ">a x\nACD\n>b\n-eCD\n>c\n-C-\n");
}

TEST_CASE("NEXUS: names are quoted where they need it") {
  const std::string text = format_alignment(
      text_of({{"plain_1", "AC"}, {"it's|x", "A-"}}, ResidueType::dna), AlignmentFormat::nexus);
  CHECK(text.find("ntax=2 nchar=2") != std::string::npos);
  CHECK(text.find("datatype=dna") != std::string::npos);
  CHECK(text.find("    plain_1   AC\n    'it''s|x' A-\n") != std::string::npos);
}

TEST_CASE("JSON: rows, and confidence where there is some") {
  AlignmentText text = text_of({{"a x", "AC"}, {"b\xff", "A-"}});
  auto json = nlohmann::json::parse(format_alignment(text, AlignmentFormat::json));
  CHECK(json["columns"] == 2);
  CHECK(json["sequences"][0]["header"] == "a x");
  CHECK(json["sequences"][1]["row"] == "A-");
  CHECK_FALSE(json.contains("column_confidence"));
  text.residue_codes = {"95", "9"};
  text.column_codes = "95";
  text.column_confidence = {0.91234f, std::numeric_limits<float>::quiet_NaN()};
  json = nlohmann::json::parse(format_alignment(text, AlignmentFormat::json));
  CHECK(json["sequences"][0]["posterior_code"] == "95");
  CHECK(json["column_confidence"][0] == doctest::Approx(0.9123));
  CHECK(json["column_confidence"][1].is_null());
}

TEST_CASE("formats: names and suffixes") {
  for (const char* name : {"fasta", "clustal", "stockholm", "phylip", "phylip-strict", "msf",
                           "nexus", "a2m", "a3m", "json"}) {
    CHECK(is_writable(*format_named(name)));
    REQUIRE(format_named(name).has_value());
    CHECK(format_name(*format_named(name)) == name);
    CHECK(writable_formats().find(name) != std::string::npos);
  }
  CHECK_FALSE(format_named("pdf").has_value());
  CHECK(readable_formats() ==
        "fasta, clustal, stockholm, phylip, phylip-strict, msf, nexus, a2m, a3m, json, pir, selex, "
        "fastq, genbank, embl, pdb, mmcif");
  CHECK(writable_formats() + ", pir, selex, fastq, genbank, embl, pdb, mmcif" ==
        readable_formats());
  CHECK(readable_inputs().ends_with("plain or compressed with gzip, bzip2, xz or zstd"));
  const std::vector<std::pair<std::string, std::string>> suffixes = {{"x.fa", "fasta"},
                                                                     {"x.aln", "fasta"},
                                                                     {"x.FASTA.gz", "fasta"},
                                                                     {"x.clw", "clustal"},
                                                                     {"x.sto", "stockholm"},
                                                                     {"x.stk.gz", "stockholm"},
                                                                     {"dir.sto/x.phy", "phylip"},
                                                                     {"x.msf", "msf"},
                                                                     {"x.nex", "nexus"},
                                                                     {"x.a2m", "a2m"},
                                                                     {"x.a3m", "a3m"},
                                                                     {"x.json", "json"}};
  for (const auto& [path, name] : suffixes) {
    const std::string shown(path);
    CAPTURE(shown);
    CHECK(format_of_suffix(path) == format_named(name));
  }
  for (const char* path : {"x", "x.txt", ".fa", "-", "", "x.sto/y"}) {
    CHECK_FALSE(format_of_suffix(path).has_value());
  }
  for (const char* path : {"x", "x.fa", "x.fa.gz", "-", "/dev/stdout", "PF00001.5", "d.html/x",
                           ".hidden", "x.", "x.xz"}) {
    CAPTURE(path);
    CHECK(unknown_suffix(path).empty());
  }
  CHECK(unknown_suffix("x.html") == ".html");
  CHECK(unknown_suffix("d/x.pfam.gz") == ".pfam");
  CHECK(written_suffixes().find("clustal (.clw .clustal .clustalw)") != std::string::npos);
  CHECK(written_suffixes().find("selex") == std::string::npos);
}

TEST_CASE("formats: one table of suffixes names outputs, inputs and what they hold") {
  for (const char* name :
       {"fasta", "clustal", "stockholm", "phylip", "msf", "nexus", "a2m", "a3m", "json"}) {
    CAPTURE(name);
    CHECK(format_of_suffix("x" + suffix_of(*format_named(name))) == format_named(name));
  }
  CHECK(suffix_of(AlignmentFormat::fasta) == ".afa");
  CHECK(suffix_of(AlignmentFormat::stockholm) == ".sto");
  CHECK(suffix_of(AlignmentFormat::phylip_strict) == ".phy");
  using enum FileContent;
  const std::vector<std::pair<std::string, FileContent>> contents = {
      {"x.fa", sequences},  {"x.PROT.gz", sequences}, {"x.gb", sequences},  {"x.afa", alignment},
      {"x.aln", alignment}, {"x.sto", alignment},     {"x.pdb", structure}, {"x.txt", unknown},
      {"x", unknown},       {"report.json", unknown}, {".fa", unknown}};
  for (const auto& one : contents) {
    CAPTURE(one.first);
    CHECK(content_of_suffix(one.first) == one.second);
  }
  CHECK(without_known_suffix("x.fa.gz") == "x");
  CHECK(without_known_suffix("x.1.sto") == "x.1");
  CHECK(without_known_suffix("README.txt") == "README.txt");
}

TEST_CASE("NEXUS: interleaved, quoted, with comments, missing and match characters") {
  const std::string sequential =
      "\xef\xbb\xbf#NEXUS\n[a [nested] one]\nBEGIN TAXA; DIMENSIONS NTAX=2; END;\nBegin "
      "Characters;\n Dimensions NChar = 6;\n Format DataType=DNA Missing=? Gap=- "
      "MatchChar=.;\nMatrix\n 'it''s a' ACG[3]T\n  A-\n b ..?.\n T.\n;\nEnd;\n";
  CHECK(detect_format(sequential) == AlignmentFormat::nexus);
  CHECK(parsed(sequential, AlignmentFormat::nexus) == Rows{{"it's a", "ACGTA-"}, {"b", "AC?TT-"}});
  const std::string interleaved =
      "#nexus\rbegin data;\rdimensions ntax=2 nchar=6;\rformat datatype=protein "
      "interleave;\rmatrix\ra MKV\rb MK?\r\ra LAW\rb L-W\r;\rend;";
  CHECK(parsed(interleaved, AlignmentFormat::nexus) == Rows{{"a", "MKVLAW"}, {"b", "MK?L-W"}});
  for (const char* text :
       {"#NEXUS\nbegin data; matrix a AC", "#NEXUS\nbegin trees; tree t = (a,b); end;",
        "#NEXUS\nbegin data; dimensions nchar=3; matrix a AC;",
        "#NEXUS\nbegin data; dimensions ntax=2; matrix a AC\n;",
        "#NEXUS\nbegin data; dimensions nchar=x; matrix a AC;", "#NEXUS\n[never closed"}) {
    CAPTURE(text);
    CHECK(complaint(text, AlignmentFormat::nexus).find("NEXUS: ") != std::string::npos);
  }
}

TEST_CASE("A3M and A2M: inserts get columns of their own") {
  const std::string text = "#A3M#\n>ss_pred\nHHC\n>ss_conf\n998\n>q x\nACD\n>b\nxyAC-\n>c\nA-zD\n";
  CHECK(detect_format(text) == AlignmentFormat::a3m);
  const Rows expected = {{"q x", "--AC-D"}, {"b", "xyAC--"}, {"c", "--A-zD"}};
  CHECK(parsed(text, AlignmentFormat::a3m) == expected);
  CHECK(parsed(text.substr(6), AlignmentFormat::a2m) == expected);
  CHECK(detect_format(">q\nAC\n", "d/x.a3m.gz") == AlignmentFormat::a3m);
  CHECK(detect_format(">q\nAC\n", "x.fa") == AlignmentFormat::fasta);
  CHECK(parsed(">q\na.CD\n>b\n.eCD\n", AlignmentFormat::a2m) == Rows{{"q", "a-CD"}, {"b", "-eCD"}});
  CHECK(complaint(">q\nACD\n>b\nAC\n", AlignmentFormat::a3m) ==
        "in: not A3M: row \"b\" has 2 match columns, row \"q\" has 3");
}

TEST_CASE("JSON: whole headers come back, and what is no alignment is refused") {
  const Rows rows = {{"a one", "AC-"}, {"b", "A-D"}};
  const std::string text = format_alignment(text_of(rows), AlignmentFormat::json);
  CHECK(parsed(text, AlignmentFormat::json) == rows);
  CHECK(complaint("{\n\"sequences\": [", AlignmentFormat::json).starts_with("in:2: not valid"));
  for (const char* bad :
       {"{}", "[]", "{\"sequences\": [1]}", "{\"sequences\": [{\"name\": 1}]}",
        "{\"sequences\": []}", "{\"sequences\": [{\"name\": \"a\", \"row\": \"A7\"}]}"}) {
    CAPTURE(bad);
    complaint(bad, AlignmentFormat::json);
  }
}

TEST_CASE("PIR: the title is no residue, and '*' ends a sequence") {
  const std::string text = ">P1;a1\nA title\nMKV LAW\nGG*\n\nC;comment\n>DL;b\n\nacgt*\n";
  CHECK(detect_format(text) == AlignmentFormat::pir);
  CHECK(parsed(text, AlignmentFormat::pir) == Rows{{"a1 A title", "MKVLAWGG"}, {"b", "acgt"}});
  CHECK(complaint(">P1;a\nt\nMK*\n>b\nMK\n", AlignmentFormat::pir).starts_with("in:4: not PIR"));
  CHECK(detect_format(">P1\nMK\n") == AlignmentFormat::fasta);
  CHECK(detect_format(">sp;x\nMK\n") == AlignmentFormat::fasta);
}

TEST_CASE("SELEX: blocks, markup, blanks that are gaps") {
  const std::string text =
      "#=AU me\n# note\nseq1   ACDE.F\nlonger  CD_EF\n#=RF   xxxxxx\n\nseq1   GH\nlonger IK\n";
  CHECK(detect_format(text) == AlignmentFormat::selex);
  CHECK(parsed(text, AlignmentFormat::selex) == Rows{{"seq1", "ACDE-FGH"}, {"longer", "-CD-EFIK"}});
  CHECK(complaint("a AC\na AC\n", AlignmentFormat::selex).find("named \"a\"") != std::string::npos);
  CHECK(complaint("a AC\n\nb AC\n", AlignmentFormat::selex).find("first block") !=
        std::string::npos);
}

TEST_CASE("formats: names are padded by characters, and strict PHYLIP has ASCII alone") {
  const AlignmentText text =
      text_of({{"\xe6\x97\xa5\xe6\x9c\xac", "ACD"}, {"M\xfcller", "A-D"}, {"abcdefghijk", "AC-"}});
  const std::string clustal = format_alignment(text, AlignmentFormat::clustal);
  CHECK(clustal.find("\n\xe6\x97\xa5\xe6\x9c\xac              ACD\nM\xfcller          A-D\n") !=
        std::string::npos);
  WarningCatcher caught;
  CHECK(format_alignment(text, AlignmentFormat::phylip_strict) ==
        " 3 3\n__        ACD\nM_ller    A-D\nabcdefghijAC-\n");
  const auto json = nlohmann::json::parse(format_alignment(text, AlignmentFormat::json));
  CHECK(json["sequences"][1]["name"] == "M\xc3\xbcller");
  REQUIRE(caught.warnings().size() == 2);
  CHECK(caught.warnings()[1].find("1 name is not UTF-8") != std::string::npos);
}

TEST_CASE("formats: names that are shared or odd become different ones") {
  const SequenceSet set({{"a b", "AC"}, {"a", "AD"}, {"", "AE"}, {"a_2", "AF"}, {"a", "AG"}},
                        ResidueType::protein);
  CHECK(unique_names(set) == std::vector<std::string>{"a", "a_3", "seq3", "a_2", "a_4"});
}
