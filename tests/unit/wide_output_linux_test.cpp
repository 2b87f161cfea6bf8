// SPDX-License-Identifier: Apache-2.0
// Of a wide alignment a part is in memory while it is written.
#include <doctest/doctest.h>
#include <malloc.h>

#include <algorithm>
#include <string>

#include "base/text_hash.hpp"
#include "io/files/output_file.hpp"
#include "io/files/packing.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/confidence_writer.hpp"
#include "io/formats/formats.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr std::size_t kRows = 1000, kResidues = 20, kColumns = kRows * kResidues;
constexpr std::size_t kTextBytes = kRows * kColumns;  // at least, of a format with all gaps

/// Rows of which none shares a column with another one, but for the first.
AlignmentText wide_alignment() {
  AlignmentText text;
  text.columns = kColumns;
  text.rows = GappedRows(kColumns);
  for (std::size_t r = 0; r < kRows; ++r) {
    text.headers.push_back("row" + std::to_string(r));
    text.names.push_back(text.headers.back());
    std::vector<std::uint32_t> columns = {0};
    for (std::uint32_t i = 1; i < kResidues; ++i) {
      columns.push_back(i * static_cast<std::uint32_t>(kRows) + static_cast<std::uint32_t>(r));
    }
    text.rows.add(std::string(kResidues, 'A'), columns);
    text.residue_codes.emplace_back(std::string(kResidues, '9'));
  }
  text.column_confidence.assign(kColumns, 0.9f);
  set_column_codes(text);
  return text;
}

/// Bytes that are allocated.
std::size_t held_bytes() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// What a text was, and the most that was allocated while it was written.
struct Watched {
  std::size_t bytes = 0, most_held = 0;
  std::string hash;
};

Watched watched(const std::function<void(const ByteTaker&)>& write) {
  Watched result;
  TextHasher hasher;
  const std::size_t before = held_bytes();
  write([&](std::string_view part) {
    result.bytes += part.size();
    hasher.add(part);
    result.most_held = std::max(result.most_held, held_bytes() - std::min(before, held_bytes()));
  });
  result.hash = hasher.digits();
  return result;
}

}  // namespace

TEST_CASE("wide output: in every format a row, or its block, is in memory") {
  using enum AlignmentFormat;
  const AlignmentText text = wide_alignment();
  // The text takes 20 MB; a part of it, a few rows of 20 KB and numbers of each column do not.
  constexpr std::size_t kMostHeld = kTextBytes / 8;
  for (const AlignmentFormat format :
       {fasta, clustal, stockholm, phylip, phylip_strict, msf, nexus, a2m, a3m, json}) {
    for (const std::optional<std::size_t> wrap : {std::optional<std::size_t>(), {0}, {1000}}) {
      CAPTURE(format_name(format));
      const Watched written = watched([&](const ByteTaker& taker) {
        hand_on([&](TextSink& out) { write_alignment(text, format, wrap, out); }, taker);
      });
      CHECK(written.most_held < kMostHeld);
      if (format == a3m) {  // whose insertions cost their letters alone
        CHECK(written.bytes < 4 * kRows * kResidues);
      } else {
        CHECK(written.bytes > kTextBytes);
      }
      CHECK(written.hash == text_hash(format_alignment(text, format, wrap)));
    }
  }
}

TEST_CASE("wide output: a file is written, packed and hashed in parts") {
  const ScratchDirectory scratch;
  const AlignmentText text = wide_alignment();
  const TextWriter write = [&](TextSink& out) {
    write_alignment(text, AlignmentFormat::fasta, 0, out);
  };
  const std::size_t before = held_bytes();
  const std::string whole = written_text(write);
  // A sanitizer's allocator counts nothing.
  if (before > 0) CHECK(held_bytes() > before + kTextBytes);
  for (const char* suffix : {"", ".gz", ".zst"}) {
    CAPTURE(suffix);
    const std::string path = scratch.path("out" + std::string(suffix));
    const Packing packing = packing_of_suffix(path);
    const Watched packed = watched([&](const ByteTaker& taker) { pack(packing, write, taker); });
    CHECK(packed.most_held < kTextBytes / 4);
    CHECK(packed.hash == text_hash(pack(packing, whole)));
    OutputFiles files;
    const WrittenBytes written = files.add_with_checksum({path, write});
    files.finish();
    const std::string bytes = read_bytes(path);
    CHECK(written.bytes == bytes.size());
    CHECK(written.sha256 == sha256(bytes));
    CHECK(unpacked(bytes, "out") == whole);
    const Watched again =
        watched([&](const ByteTaker& taker) { unpack(packing, bytes, "out", taker); });
    CHECK(again.most_held < kTextBytes / 4);
    CHECK(again.hash == text_hash(whole));
  }
}

TEST_CASE("wide output: the lines of a table of confidence follow each other") {
  constexpr std::uint32_t kLength = 20000;
  const SequenceSet set({{"a", std::string(kLength, 'A')}, {"b", std::string(kLength, 'C')}},
                        ResidueType::protein);
  Msa msa;
  msa.columns = kLength;
  msa.column_of.resize(2);
  Confidence confidence;
  for (std::uint32_t c = 0; c < kLength; ++c) {
    for (auto& row : msa.column_of) row.push_back(c);
  }
  confidence.residue.assign(2, std::vector<float>(kLength, 0.5f));
  confidence.column.assign(kLength, 0.5f);
  confidence.column_residues.assign(kLength, 2);
  const Watched written = watched([&](const ByteTaker& taker) {
    hand_on([&](TextSink& out) { write_confidence(set, msa, confidence, out); }, taker);
  });
  CHECK(written.bytes > 40 * std::size_t{kLength});
  CHECK(written.most_held < written.bytes / 2);
}

TEST_CASE("output files: what is written directly is written once, with the checksum of its text") {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("there", "old");
  int calls = 0;
  {
    OutputFiles files;
    const Output output{path, [&](TextSink& out) {
                          ++calls;
                          out << "new";
                        }};
    CHECK(files.add_with_checksum(output).sha256 == sha256("new"));
    CHECK(calls == 1);
    CHECK(read_bytes(path) == "old");  // until the end
    const WrittenBytes device =
        files.add_with_checksum({"/dev/null", [](TextSink& out) { out << "device"; }});
    CHECK(device.bytes == 6);
    CHECK(device.sha256 == sha256("device"));
    files.finish();
  }
  CHECK(read_bytes(path) == "new");
  {
    OutputFiles files;
    files.add(make_output(path, "never finished"));
  }
  CHECK(read_bytes(path) == "new");
}
