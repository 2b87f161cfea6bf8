// SPDX-License-Identifier: Apache-2.0
#include "io/formats/fasta.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <zlib.h>

#include "io/files/text_input.hpp"
#include "support/scratch.hpp"
#include "support/sequence_files.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// One gzip member with the given content.
std::string gzipped(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

/// Reads a text as a file; the file is called "in.fa" in messages.
std::vector<SequenceRecord> read(std::string_view text) {
  const ScratchDirectory scratch;
  return read_sequences(scratch.write("in.fa", text));
}

/// The message that a text gives, from the file name on.
std::string message(std::string_view text) {
  const Error error = error_of([&] { read(text); });
  CHECK(error.kind() == ErrorKind::bad_input);
  const std::string what = error.what();
  return what.substr(what.find("in.fa"));
}

}  // namespace

TEST_CASE("letters keep their case, and '*' stays") {
  const auto records = read(">a first one\nACdeX*\nbzUOJ\n>b\nMK\n");
  REQUIRE(records.size() == 2);
  CHECK(records[0].header == "a first one");
  CHECK(records[0].letters == "ACdeX*bzUOJ");
  CHECK(records[1].letters == "MK");
}

TEST_CASE("line ends, blanks, comments and a byte order mark do not matter") {
  const auto plain = read(">a x\nAC\nDE\n>b\nMK\n");
  for (const char* text : {">a x\r\nAC\r\nDE\r\n>b\r\nMK\r\n", ">a x\rAC\rDE\r>b\rMK",
                           "\xef\xbb\xbf>a x\nACDE\n>b\nMK",
                           ";a comment 12\n\n  \n;another\n>a x\n A C\n\nD\tE \n\n>b\n\nMK\n\n"}) {
    const auto records = read(text);
    REQUIRE(records.size() == 2);
    for (int k = 0; k < 2; ++k) {
      CHECK(records[k].header == plain[k].header);
      CHECK(records[k].letters == plain[k].letters);
    }
  }
}

TEST_CASE("gaps are removed with one notice a file") {
  const WarningCatcher catcher;
  const auto records = read(">a\n-AC..D-\n>b\nMK\n>c\n---\nW\n");
  CHECK(records[0].letters == "ACD");
  CHECK(records[2].letters == "W");
  REQUIRE(catcher.warnings().size() == 1);
  CHECK(catcher.warnings()[0].ends_with("in.fa: 7 gap characters removed from 2 sequences"));
}

TEST_CASE("a character that cannot stand in a sequence is an error with its line") {
  CHECK(message(">a b\nAC\nA7C\n") ==
        "in.fa:3: '7' is not a sequence character (in sequence \"a\")");
  CHECK(message(">a\r\n\r\nA!C\r\n").starts_with("in.fa:3: '!'"));
  CHECK(message(">a\nAC>b\n").starts_with("in.fa:2: '>'"));
  CHECK(message(">a\nA\xc3\xa9\n").starts_with("in.fa:2: byte 0xC3"));
  CHECK(message(std::string_view(">a\nA\0C\n", 8)).starts_with("in.fa:2: byte 0x00"));
  CHECK(message(">a\nAC\n#late comment\n").starts_with("in.fa:3: '#'"));
  CHECK_FALSE(error_of([] { read(">a\nA7\n"); }).hint().empty());
}

TEST_CASE("what is not FASTA is refused") {
  CHECK(message("\n\n >a\nAC\n").starts_with("in.fa:3: not FASTA"));
  CHECK(message("") == "in.fa: there are no sequences");
  CHECK(message(" \r\n\t\n") == "in.fa: there are no sequences");
  CHECK(message("; only a comment\n") == "in.fa: there are no sequences");
}

TEST_CASE("odd records are kept, each kind with one warning") {
  const WarningCatcher catcher;
  const auto records = read(">a\n>b\nAC\n>\nAC\n> x y\nDE\n>b 2\nMK\n>a\n--\n>c\n>d\n");
  CHECK(records.size() == 8);
  CHECK(records[2].header.empty());
  CHECK(records[3].header == "x y");
  CHECK(records[3].name() == "x");
  const auto warnings = catcher.warnings();
  REQUIRE(warnings.size() == 4);
  CHECK(warnings[0].ends_with("2 gap characters removed from 1 sequence"));
  CHECK(warnings[1].ends_with("4 sequences without residues: \"a\", \"a\", \"c\", ..."));
  CHECK(warnings[2].ends_with("1 sequence without a name"));
  CHECK(warnings[3].ends_with("2 names belong to more than one sequence: \"b\", \"a\""));
}

TEST_CASE("ordinary files give no warning") {
  const WarningCatcher catcher;
  CHECK(read(">a\nAC").size() == 1);
  CHECK(catcher.warnings().empty());
}

TEST_CASE("gzip is told by its magic bytes, also in several members") {
  CHECK(read(gzipped(">a\nACDE\n")).at(0).letters == "ACDE");
  CHECK(read(gzipped(">a\nAC") + gzipped("DE\n>b\nK\n")).at(0).letters == "ACDE");
  CHECK(read(gzipped(">a\nAC\n") + std::string(512, '\0')).size() == 1);
  std::string large = ">a\n";
  for (int k = 0; k < 1'000'000; ++k) large += "ACDEFGHIKL"[k * 7 % 10];
  CHECK(read(gzipped(large)).at(0).letters == large.substr(3));
}

TEST_CASE("damaged gzip data are an error") {
  const std::string packed = gzipped(">a\nACDEFGHIKLMNPQRSTVWY\n");
  for (std::size_t kept = 2; kept < packed.size(); ++kept) {
    CHECK(message(packed.substr(0, kept)) == "in.fa: the gzip data end too early");
  }
  std::string corrupt = packed;
  corrupt[packed.size() - 6] ^= 1;  // checksum
  CHECK(message(corrupt).starts_with("in.fa: corrupt gzip data"));
  CHECK(message(packed + "rubbish").starts_with("in.fa: corrupt gzip data"));
}

TEST_CASE("files that cannot be read are named") {
  const ScratchDirectory scratch;
  const Error missing = error_of([&] { read_sequences(scratch.path("none.fa")); });
  CHECK(missing.kind() == ErrorKind::no_input);
  CHECK(std::string(missing.what())
            .ends_with(scratch.path("none.fa") + ": No such file or directory"));
  const Error directory = error_of([&] { read_sequences(scratch.path("")); });
  CHECK(directory.kind() == ErrorKind::no_input);
  CHECK(std::string(directory.what()).ends_with("Is a directory"));
}

TEST_CASE("'-' is standard input") {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("in.fa", ">a\nA7\n");
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open(path.c_str(), O_RDONLY);
  ::dup2(file, STDIN_FILENO);
  const Error error = error_of([] { read_sequences("-"); });
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(file);
  CHECK(std::string(error.what()).starts_with("stdin:2: '7'"));
}
