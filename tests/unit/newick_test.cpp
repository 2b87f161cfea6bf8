// SPDX-License-Identifier: Apache-2.0
#include "io/trees/newick.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>

#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// A family of empty sequences; canonical order is that of the names.
SequenceSet named(const std::vector<std::string>& names) {
  std::vector<SequenceRecord> records;
  for (const std::string& name : names) records.push_back({name, ""});
  return SequenceSet(std::move(records), ResidueType::protein);
}

const SequenceSet& abcd() {
  static const SequenceSet set = named({"A", "B", "C", "D"});
  return set;
}

GuideTree parsed(const std::string& text, const SequenceSet& set = abcd()) {
  return parse_newick(text, "t.dnd", set);
}

std::string message(const std::string& text, const SequenceSet& set = abcd()) {
  const Error error = error_of([&] { parsed(text, set); });
  CHECK(error.kind() == ErrorKind::bad_input);
  return error.what();
}

/// "PREFIXn"
std::string numbered(std::string prefix, std::size_t n) { return prefix += std::to_string(n); }

using Nodes = std::vector<std::uint32_t>;
using Lengths = std::vector<double>;

bool same_bits(const Lengths& a, const Lengths& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

/// Rounded to single precision.
Lengths single(Lengths lengths) {
  for (double& length : lengths) length = static_cast<float>(length);
  return lengths;
}

}  // namespace

TEST_CASE("joins are numbered by their closing parentheses") {
  const GuideTree tree = parsed("((D:0.5,B:1e-2):2,(A:3,C:+4):0.125):9;\n");
  CHECK(tree.leaves == 4);
  CHECK(tree.left == Nodes{3, 0, 4});
  CHECK(tree.right == Nodes{1, 2, 5});
  CHECK(tree.length == Lengths{3, 0.01, 4, 0.5, 2, 0.125, 0});
  CHECK(tree.nodes() == 7);
}

TEST_CASE("comments, white space, inner labels and quoted names") {
  const SequenceSet set = named({"it's", "a b", "x_y", "p|q.1/2-3"});
  const GuideTree tree = parsed(
      " [one[nested]] ( ('it''s' : 1 , 'x_y'[c]:2\r\n)'inner one':3,[d]\n(a:1)x)root;[end]\n",
      named({"it's", "x_y", "a"}));
  CHECK(tree.left == Nodes{1, 3});
  CHECK(tree.right == Nodes{2, 0});
  CHECK(
      parsed("(('it''s','x_y'),(p|q.1/2-3,''));", named({"it's", "", "x_y", "p|q.1/2-3"})).leaves ==
      4);
  CHECK(message("(('it''s',x y),(p|q.1/2-3,'a b'));", set)
            .starts_with("t.dnd:1:13: expected ',' or ')'"));
  CHECK(
      message("(A,x_y);", named({"A", "x"})).ends_with("leaf \"x_y\" is not among the sequences"));
}

TEST_CASE("more than two children are joined from left to right") {
  const GuideTree tree = parsed("(A:1,B:2,(C:3):5,D:4);");
  CHECK(tree.left == Nodes{0, 4, 5});
  CHECK(tree.right == Nodes{1, 2, 3});
  CHECK(tree.length == Lengths{1, 2, 8, 4, 0, 0, 0});  // the node above C is gone
  CHECK(parsed("(A,B,C,D);").length == Lengths{1, 1, 1, 1, 0, 0, 0});
}

TEST_CASE("lengths that are missing, negative or odd") {
  CHECK(parsed("((A,B),(C,D));").length == Lengths{1, 1, 1, 1, 1, 1, 0});
  CHECK(parsed("((A:2,B),(C,D));").length == Lengths{2, 0, 0, 0, 0, 0, 0});
  CHECK(parsed("((A:-2,B:-0):1,(C:3e-1,D:.5):1);").length == Lengths{0, 0, 0.3, 0.5, 1, 1, 0});
  CHECK(same_bits(parsed("((A:-0,B:-1):-0.0,(C,D));").length, Lengths(7, 0.0)));
  for (const char* length :
       {"nan", "inf", "-inf", "x", "", "1e39", "1e999", "1.5.2", "--1", "0x1"}) {
    CAPTURE(length);
    CHECK(message("((A:1,\nB: " + std::string(length) + "),(C,D));").starts_with("t.dnd:2:4: "));
  }
}

TEST_CASE("lengths are written with as few digits as tell them apart") {
  const std::string text = "((A:0.1,B:0.30000000000000004):1e-09,(C:0.12345678,D:2):16777217);\n";
  CHECK(format_newick(parsed(text), abcd()) == text);
  GuideTree tree = parsed("((A:1,B:1),(C:1,D:1));");
  tree.length = in_single_precision(parsed("((A:0.1,B:0.2),(C:0.3,D:1e-5));")).length;
  CHECK(format_newick(tree, abcd()) == "((A:0.1,B:0.2):0,(C:0.3,D:1e-05):0);\n");
}

TEST_CASE("negative lengths are said") {
  const WarningCatcher caught;
  CHECK(parse_newick("((A:-2,B:1):1,(C:-3e-1,D:.5):1);", "t", abcd(), NewickLengths::all).length ==
        Lengths{0, 1, 0, 0.5, 1, 1, 0});
  REQUIRE(caught.warnings().size() == 1);
  CHECK(caught.warnings()[0] == "t: 2 branch lengths are negative and taken for 0");
  CHECK(error_of([] {
          parse_newick("((A:1,B):1,(C:1,D:1):1);", "t", abcd(), NewickLengths::all);
        }).kind() == ErrorKind::bad_input);
}

TEST_CASE("labels with blanks, in either kind of quotes, and with '_' for blanks") {
  std::vector<SequenceRecord> records;
  for (const std::string name : {"Homo sapiens", "Homo erectus", "Pan \"x\"", "it's"}) {
    records.push_back({name, "", name.size()});
  }
  const SequenceSet set(std::move(records), ResidueType::protein);
  const GuideTree tree = parsed("(('Homo sapiens','Homo erectus'),('Pan \"x\"','it''s'));", set);
  for (const char* text : {"((\"Homo sapiens\",\"Homo erectus\"),(\"Pan \"\"x\"\"\",\"it's\"));",
                           "((Homo_sapiens,Homo_erectus),(Pan_\"x\",'it''s'));",
                           "((1_Homo_sapiens,2_Homo_erectus),(3_Pan__x_,4_it_s));"}) {
    CAPTURE(text);
    CHECK(same_bytes(parsed(text, set), tree));
  }
  CHECK(same_bytes(parsed(format_newick(tree, set), set), tree));
  CHECK(format_newick(tree, set).find("('Homo sapiens':1,'Homo erectus':1)") != std::string::npos);
}

TEST_CASE("labels of MAFFT: the place in the input, and the header with '_'") {
  const SequenceSet set({{"sp|P1|A_B some words", "MK"}, {"x.1", "MKV"}, {"x-1", "M"}},
                        ResidueType::protein);
  const GuideTree tree = parsed("((sp|P1|A_B:1,x.1:2):3,x-1:4);", set);
  for (const char* text : {"((\n1_sp_P1_A_B:1,\n2_x_1:2):3,\n3_x_1:4);",
                           "((1_sp_P1_A_B_some_words:1,2_x.1:2):3,3_x-1:4);",
                           "((1_sp|P1|A_B_some:1,2_x_1:2):3,3_x_1:4);"}) {
    CAPTURE(text);
    CHECK(same_bytes(parsed(text, set), tree));
  }
  CHECK(message("((1_sp:1,2_x_1:2):3,3_x_1:4);", set).find("\"1_sp\"") != std::string::npos);
  CHECK(message("((2_x_1,2_x_1),3_x_1);", set).find("occurs twice") != std::string::npos);
  CHECK(message("((4_x_1,2_x_1),3_x_1);", set).find("\"4_x_1\"") != std::string::npos);
}

TEST_CASE("NEXUS: the first tree, with translated names") {
  const GuideTree tree = parsed("((A:0.1,B:0.2):0.3,(C:1,D:2):3);");
  const std::string translated =
      "#NEXUS\n[made by x]\nbegin taxa; dimensions ntax=4; taxlabels A B C D; end;\n"
      "Begin Trees;\n  Translate\n    1 A,\n    2 'B', 3 C,4 D\n  ;\n"
      "tree one = [&R] ((1:0.1,2:0.2)[&p=1]:0.3,(3:1,4:2):3);\nend;\n";
  CHECK(same_bytes(parsed(translated), tree));
  const WarningCatcher caught;
  CHECK(same_bytes(parsed("#nexus\r\nBEGIN TREES;\r\nTREE * 'a;b' = "
                          "((A:0.1,'B':0.2)'it''s; x':0.3,(C:1,\"D\":2):3);\r\n"
                          "utree c = (A,(B,(C,D)));\r\nEND;"),
                   tree));
  REQUIRE(caught.warnings().size() == 1);
  CHECK(caught.warnings()[0] == "t.dnd: 2 trees; the first is taken");
  CHECK(message("#NEXUS\nbegin data; matrix a AC; end;").find("there is no tree") !=
        std::string::npos);
  CHECK(message("#NEXUS\nbegin trees;\ntree a = ((A,B),(C,D))").starts_with("t.dnd:3: "));
  CHECK(message("#NEXUS\nbegin trees;\ntree a = ((A,E),(C,D));").starts_with("t.dnd:3:14: leaf"));
}

TEST_CASE("trees of one leaf") {
  const SequenceSet set = named({"A"});
  for (const char* text : {"A;", "(A);", "((A:1):2)x:3;", "A:1;"}) {
    const GuideTree tree = parsed(text, set);
    CHECK(tree.leaves == 1);
    CHECK(tree.left.empty());
    CHECK(tree.length == Lengths{0});
    CHECK(format_newick(tree, set) == "A;\n");
  }
}

TEST_CASE("syntax errors say where") {
  CHECK(message("") == "t.dnd:1:1: expected '(' or the name of a sequence");
  CHECK(message("((A,B),(C,D))") == "t.dnd:1:14: expected ';', found the end of the text");
  CHECK(message("((A,B),(C,D);") == "t.dnd:1:13: expected ',' or ')', found \";\"");
  CHECK(message("((A,B),\n(C,D") == "t.dnd:2:1: this '(' is never closed");
  CHECK(message("((A,B),(C,D)));") == "t.dnd:1:14: expected ';', found \")\"");
  CHECK(message("(A,B),(C,D);") == "t.dnd:1:6: expected ';', found \",\"");
  CHECK(message("((A,),(C,D));") == "t.dnd:1:5: expected '(' or the name of a sequence");
  CHECK(message("((A,B)(C,D));") == "t.dnd:1:7: expected ',' or ')', found \"(\"");
  CHECK(message("();") == "t.dnd:1:2: expected '(' or the name of a sequence");
  CHECK(message("((A,'B),(C,D));") == "t.dnd:1:5: this quoted name is never closed");
  CHECK(message("((A,B),[x(C,D));") == "t.dnd:1:8: this comment is never closed");
  CHECK(message("((A,B),(C,D)); (A,B);") == "t.dnd:1:16: a second tree in one file");
}

TEST_CASE("leaves and sequences must be the same") {
  CHECK(message("((A,B),(C,E));") == "t.dnd:1:11: leaf \"E\" is not among the sequences");
  CHECK(message("((A,B),(C,A));") == "t.dnd:1:11: leaf \"A\" occurs twice");
  CHECK(message("(C,A);") == "t.dnd: 2 of 4 sequences are not in the tree: \"B\", \"D\"");
  CHECK(message("D;") == "t.dnd: 3 of 4 sequences are not in the tree: \"A\", \"B\", \"C\"");
  CHECK(message("(A,B);", named({"A", "A 2"})) ==
        "t.dnd:1:4: leaf \"B\" is not among the sequences");
}

TEST_CASE("shared and empty names are written as all outputs have them, and found again") {
  const SequenceSet set({{"a", "MKV"}, {"a", "MK"}, {"", "M"}, {"a_2", "AAAA"}},
                        ResidueType::protein);
  const GuideTree tree = parsed("((a,a_3),(seq3,a_2));", set);
  const std::string text = format_newick(tree, set);
  CHECK(text == "((a:1,a_3:1):1,(seq3:1,a_2:1):1);\n");
  CHECK(same_bytes(parsed(text, set), tree));
  CHECK(same_bytes(parsed("((a,a_3),('',a_2));", set), tree));
}

TEST_CASE("random trees keep their shape and bits when written and read") {
  const unsigned seed = 20240611;
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (std::uint32_t leaves : {2u, 3u, 17u, 300u}) {
    std::vector<std::string> names;
    for (std::uint32_t x = 0; x < leaves; ++x) {
      names.push_back(numbered("it's(", x) + ")" + (x % 3 == 0 ? "" : "_[;:,"));
    }
    const SequenceSet set = named(names);
    GuideTree tree;
    tree.leaves = leaves;
    Nodes roots(leaves);
    for (std::uint32_t x = 0; x < leaves; ++x) roots[x] = x;
    while (roots.size() > 1) {
      std::shuffle(roots.begin(), roots.end(), random);
      tree.right.push_back(roots.back());
      roots.pop_back();
      tree.left.push_back(roots.back());
      roots.back() = tree.nodes() - 1;
    }
    // Any finite non-negative bit pattern is a length.
    for (std::uint32_t node = 0; node < tree.nodes(); ++node) {
      tree.length.push_back(
          std::bit_cast<float>(static_cast<std::uint32_t>(random() % 0x7f800000u)));
    }
    tree.length.back() = 0;

    const std::string text = format_newick(tree, set);
    const GuideTree again = parsed(text, set);
    CHECK(format_newick(again, set) == text);
    Lengths sorted = tree.length, sorted_again = again.length;
    std::sort(sorted.begin(), sorted.end());
    std::sort(sorted_again.begin(), sorted_again.end());
    CHECK(same_bits(sorted, single(sorted_again)));
    const GuideTree third = parsed(format_newick(again, set), set);
    CHECK(third.left == again.left);
    CHECK(third.right == again.right);
    CHECK(same_bits(third.length, again.length));
  }
}

TEST_CASE("a caterpillar of 200,000 leaves, and as many nodes of one child") {
  const std::uint32_t leaves = 200'000;
  std::vector<std::string> names;
  for (std::uint32_t x = 0; x < leaves; ++x) names.push_back(numbered("s", x));
  const SequenceSet set = named(names);
  std::string text(leaves - 1, '(');
  text += names[0];
  for (std::uint32_t x = 1; x < leaves; ++x) text += "," + names[x] + ":1):0.5";
  const GuideTree tree = parsed(text + ";", set);
  CHECK(tree.nodes() == 2 * leaves - 1);
  CHECK(tree.left[0] == set.from_input(0));
  CHECK(tree.left.back() == tree.nodes() - 2);
  const GuideTree again = parsed(format_newick(tree, set), set);
  CHECK(again.left == tree.left);
  CHECK(again.right == tree.right);
  CHECK(again.length == tree.length);

  const std::string unary = std::string(leaves, '(') + "A" + std::string(leaves, ')') + ";";
  CHECK(parsed(unary, named({"A"})).leaves == 1);
}

TEST_CASE("newick: leaves that are no sequences can be left out, whatever is left of their nodes") {
  const SequenceSet set({{"a", "MK"}, {"b", "MK"}, {"c", "MK"}}, ResidueType::protein);
  const std::string whole = "((a:1,b:2):1,c:4);";
  for (const std::string text :
       {"((a:1,(b:1,x:1):1):1,c:4);", "(((x:1,y:1):3,(a:1,b:2):0.5):0.5,c:4);",
        "((a:1,b:2,x:1):1,(c:3,(x:1,y:2,z:1):1):1);", "(x:1,(((a:1,b:2):1,c:4):1,y:1):1);"}) {
    CAPTURE(text);
    CHECK(error_of([&] { parse_newick(text, "t", set); }).kind() == ErrorKind::bad_input);
    const WarningCatcher catcher;
    CHECK(format_newick(parse_newick_pruned(text, "t", set), set) ==
          format_newick(parse_newick(whole, "t", set), set));
    CHECK(catcher.warnings().size() == 1);
  }
  const WarningCatcher catcher;
  parse_newick_pruned(whole, "t", set);
  CHECK(catcher.warnings().empty());
  CHECK(error_of([&] { parse_newick_pruned("(a,(b,x));", "t", set); }).kind() ==
        ErrorKind::bad_input);  // c has no leaf
  std::vector<bool> expected(3, true);
  expected[set.from_input(2)] = false;
  CHECK(sequences_with_leaf("(a,(b,x));", "t", set) == expected);
}
