// SPDX-License-Identifier: Apache-2.0
#include "io/files/reading_memory.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <thread>

#include "accord/api/api.hpp"
#include "io/families/coding_features.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("reading memory: what is read in a scope adds up, and is given back at its end") {
  const ReadingScope scope(1000);
  CHECK(reading_limit() == 1000);
  count_reading(600, "a.fa", "2 rows");
  {
    const ReadingScope inner;
    count_reading(400, "b.fa", "2 rows");
    const Error error = error_of([] { count_reading(1, "c.fa", "2 rows"); });
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(std::string(error.what()).starts_with("OutOfMemory: c.fa: 2 rows take about "));
  }
  auto hold = std::make_unique<ReadingHold>(400, "b.fa", "the text");
  CHECK(error_of([] { check_reading(1, "c.fa", "2 rows"); }).kind() == ErrorKind::out_of_memory);
  hold.reset();
  check_reading(400, "b.fa", "2 rows");
  check_reading(400, "b.fa", "2 rows");
  CHECK(error_of([] { check_reading(401, "b.fa", "2 rows"); }).kind() == ErrorKind::out_of_memory);
  std::thread([] { CHECK(reading_limit() > 1000); }).join();
}

TEST_CASE("reading memory: outside a scope each input is compared alone, with half of the memory") {
  const std::size_t half = reading_limit();
  count_reading(half, "a.fa", "2 rows");
  count_reading(half, "b.fa", "2 rows");
  CHECK(error_of([&] { count_reading(half + 1, "c.fa", "2 rows"); }).kind() ==
        ErrorKind::out_of_memory);
}

TEST_CASE("reading memory: the records of each format are counted before they are made") {
  const std::pair<AlignmentFormat, std::string> kTexts[] = {
      {AlignmentFormat::fasta, ">\n"},
      {AlignmentFormat::a3m, ">\n"},
      {AlignmentFormat::fastq, "@\n+\n\n"},
      {AlignmentFormat::genbank, "LOCUS x\nORIGIN\n//\n"},
      {AlignmentFormat::embl, "ID x\nSQ\n//\n"},
      {AlignmentFormat::pdb, "ATOM      1  CA  ALA A   1      1.0 1.0 1.0\n"},
      {AlignmentFormat::mmcif, "loop_ _a.b 1 2 3 4\n"},
  };
  for (const auto& one : kTexts) {
    const AlignmentFormat format = one.first;
    CAPTURE(format_name(format));
    std::string text;
    while (text.size() < 100000) text += one.second;
    const ReadingScope scope(2 * text.size());
    CHECK(error_of([&] { parse_records(text, format, "in"); }).kind() == ErrorKind::out_of_memory);
  }
  std::string json = "{\"sequences\": [1";
  while (json.size() < 100000) json += ",1";
  const ReadingScope scope(5 * json.size());
  CHECK(error_of([&] { parse_records(json + "]}", AlignmentFormat::json, "in"); }).kind() ==
        ErrorKind::out_of_memory);
}

TEST_CASE("reading memory: gaps of A3M") {
  std::string text = ">q\nMK" + std::string(2000, 'a') + "VL\n";
  for (int k = 0; k < 1000; ++k) text += ">s" + std::to_string(k) + "\nMKVL\n";
  const auto parse = [&] { return parse_records(text, AlignmentFormat::a3m, "in"); };
  {
    const ReadingScope scope(1000000);
    const Error error = error_of(parse);
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(std::string(error.what()).starts_with("OutOfMemory: in: 1001 rows of 2004 columns"));
  }
  const ReadingScope scope(3000000);
  const std::vector<SequenceRecord> records = parse();
  REQUIRE(records.size() == 1001);
  CHECK(records[1].letters == "MK" + std::string(2000, '-') + "VL");
}

TEST_CASE("reading memory: coding sequences that share their bases, and lines of SELEX") {
  std::string features, sequence(5000, 'a');
  for (int k = 0; k < 1000; ++k) features += "     CDS             1..5000\n";
  const std::string genbank = "LOCUS       x\nACCESSION   x\nFEATURES             Location\n" +
                              features + "ORIGIN\n        1 " + sequence + "\n//\n";
  std::string selex = "wide " + std::string(5000, 'A') + "\n";
  for (int k = 0; k < 1000; ++k) selex += "r" + std::to_string(k) + "   A\n#=SS  H\n";
  const auto coding = [&] {
    return coding_records(parse_flat_file(genbank, false, "in", nullptr), "in");
  };
  const auto rows = [&] { return parse_records(selex, AlignmentFormat::selex, "in"); };
  const auto markup = [&] { return parse_selex_markup(selex, "in"); };
  CHECK(coding().size() == 1000);
  CHECK(rows().size() == 1001);
  CHECK(markup().of_residues.size() == 1000);
  const ReadingScope scope(2000000);
  CHECK(error_of(coding).kind() == ErrorKind::out_of_memory);
  CHECK(error_of(rows).kind() == ErrorKind::out_of_memory);
  CHECK(error_of(markup).kind() == ErrorKind::out_of_memory);
}

TEST_CASE("reading memory: a wide window of zstd is accepted if it fits") {
  // A frame with the widest window of 'zstd --long=31', and one block as it is.
  const std::string text = ">a\nMKVL\n>b\nMKIL\n";
  std::string frame = "\x28\xb5\x2f\xfd";
  frame += '\0';  // no size of the text, no checksum
  frame += static_cast<char>((31 - 10) << 3);
  const std::size_t block = 1 | text.size() << 3;
  for (int byte = 0; byte < 3; ++byte) frame += static_cast<char>(block >> 8 * byte & 0xff);
  frame += text;
  {
    const ReadingScope scope(std::size_t{1} << 31);
    CHECK(unpacked(frame, "in") == text);
  }
  {
    const ReadingScope scope(std::size_t{1} << 30);
    const Error error = error_of([&] { unpacked(frame, "in"); });
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(std::string(error.what()) ==
          "OutOfMemory: in: packed by zstd with a window of 2.0 GiB; the limit is 1.0 GiB");
  }
  frame[5] = 0;  // 1 kB
  const ReadingScope scope(10);
  const Error error = error_of([&] { unpacked(frame, "in"); });
  CHECK(error.kind() == ErrorKind::out_of_memory);
  CHECK(std::string(error.what()).starts_with("OutOfMemory: in: "));
}

TEST_CASE("record watch: a long text that exceeds a limit is not read on") {
  const std::string label = "in";
  const auto fed = [&](const ReadLimits& limits, const std::string& first,
                       const std::string& part) {
    RecordWatch watch(limits, label);
    watch.add(first);
    for (std::size_t bytes = 0; bytes < (std::size_t{1} << 22); bytes += part.size()) {
      watch.add(part);
    }
  };
  const auto refused = [&](const ReadLimits& limits, const std::string& first,
                           const std::string& part) {
    try {
      fed(limits, first, part);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::bad_input);
      return true;
    }
    return false;
  };
  const ReadLimits few{.sequences = 5, .residues = {}}, brief{.sequences = {}, .residues = 5};
  CHECK(refused(few, ">a\n", "MK\n>a\n"));
  CHECK(refused(brief, ">a\n", "MK-\r\n"));
  CHECK_FALSE(refused(few, ">a\n", "MK\n"));
  CHECK_FALSE(refused(brief, ">a\n", "MK\n>MMMMMMMMMM\n"));
  CHECK_FALSE(refused(brief, ">a\n", "-- \n"));
  CHECK_FALSE(refused(brief, ">a\n", ";MMM\n#MMM\n"));
  CHECK_FALSE(refused(few, ">a\n", ">ss_pred\nHHH\n>sa_dssp\nHHH\n"));
  CHECK_FALSE(refused(few, ">P1;a\n", ">P1;a\nMK*\n"));
  CHECK_FALSE(refused(brief, ">P1;a\n", "A long title\nMK*\n>P1;a\n"));
  CHECK_FALSE(refused(few, "CLUSTAL\n", ">a\n"));
  CHECK_FALSE(refused({}, ">a\n", "MK\n>a\n"));
}

TEST_CASE("reading memory: the C++ interface counts against the memory of its options") {
  const ScratchDirectory directory;
  directory.write("long.fa", ">a\n" + std::string(5000000, 'A') + "\n>b\nAC\n");
  api::Options options;
  options.memory = 4000000;
  options.device = "none";
  const Error error = error_of([&] { api::align_files({directory.path("long.fa")}, options); });
  CHECK(error.kind() == ErrorKind::out_of_memory);
  CHECK(std::string(error.what()).find("long.fa: ") != std::string::npos);
  CHECK(error.hint().find("memory") != std::string::npos);
}
