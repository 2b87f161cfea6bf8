// SPDX-License-Identifier: Apache-2.0
#include "run/batch/batch_record.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "accord/base/error.hpp"
#include "base/text_hash.hpp"
#include "io/files/output_file.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const AlignmentSources kSources{"input", "parameters"};

BatchFamily write_family(const ScratchDirectory& directory, const std::string& id,
                         const std::string& text) {
  return {id, "", directory.write(id, text), 0};
}

}  // namespace

TEST_CASE("batch record: complete is what has the same sources and an untouched output") {
  const ScratchDirectory directory;
  const BatchFamily a = write_family(directory, "a", "alignment a");
  const BatchFamily b = write_family(directory, "b", "alignment b");
  {
    BatchRecord record(directory.path(""), {1, 2});
    record.add(a, kSources, text_hash("alignment a"));
    CHECK(!record.is_complete(a, kSources));  // of this run, not of one before
  }
  const BatchRecord record(directory.path(""), {2, 2});  // reads those of other shards
  CHECK(record.is_complete(a, kSources));
  CHECK(!record.is_complete(a, {"input", "others"}));
  CHECK(!record.is_complete(a, {"other", "parameters"}));
  CHECK(!record.is_complete(b, kSources));
  directory.write("a", "alignment");  // cut off
  CHECK(!record.is_complete(a, kSources));
  std::filesystem::remove(directory.path("a"));
  CHECK(!record.is_complete(a, kSources));
}

TEST_CASE("batch record: the last line of a family counts, damaged lines do not") {
  const ScratchDirectory directory;
  const BatchFamily a = write_family(directory, "a", "new"), b = write_family(directory, "b", "b");
  {
    BatchRecord record(directory.path(""), {});
    record.add(a, kSources, text_hash("old"));
    record.add(a, kSources, text_hash("new"));
    record.add(b, kSources, text_hash("b"));
  }
  const std::string file = ".accord-batch-1-of-1.tsv";
  const std::string text = file_bytes(directory.path(file));
  // Cut anywhere: nothing is complete that was not, and the next line is not lost.
  const std::size_t second = text.find('\n', text.find('\n') + 1) + 1;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    directory.write(file, text.substr(0, size));
    {
      BatchRecord record(directory.path(""), {});
      CHECK(record.is_complete(a, kSources) == (size + 1 >= second));
      CHECK(record.is_complete(b, kSources) == (size + 1 >= text.size()));
      record.add(b, kSources, text_hash("b"));
    }
    CHECK(BatchRecord(directory.path(""), {}).is_complete(b, kSources));
  }
  std::string damaged = text;
  damaged[1] = '!';
  for (char& c : damaged) c = c == 'b' ? 'c' : c;
  directory.write(file, damaged);
  CHECK(!BatchRecord(directory.path(""), {}).is_complete(b, kSources));
}

TEST_CASE("batch record: a packed output is complete as well") {
  const ScratchDirectory directory;
  const BatchFamily family{"a", "", directory.path("a.gz"), 0};
  write_output(family.output, "some alignment");
  BatchRecord(directory.path(""), {}).add(family, kSources, text_hash("some alignment"));
  CHECK(BatchRecord(directory.path(""), {}).is_complete(family, kSources));
}

TEST_CASE("batch record: an output that is larger than a part of it that is read at a time") {
  const ScratchDirectory directory;
  const std::string text(700000, 'A');
  for (const char* name : {"a.afa", "a.zst"}) {
    const BatchFamily family{name, "", directory.path(name), 0};
    write_output(family.output, text);
    BatchRecord record(directory.path(""), {});
    record.add(family, kSources, text_hash(text));
    CHECK(record.is_complete(family, kSources) == false);  // read when the next run begins
    CHECK(BatchRecord(directory.path(""), {}).is_complete(family, kSources));
    write_output(family.output, text + "A");
    CHECK_FALSE(BatchRecord(directory.path(""), {}).is_complete(family, kSources));
    std::filesystem::remove(family.output);
    CHECK_FALSE(BatchRecord(directory.path(""), {}).is_complete(family, kSources));
  }
}

TEST_CASE("batch record: a directory that cannot be written") {
  CHECK(error_of([] { BatchRecord("/nowhere/at/all", {}); }).kind() == ErrorKind::cannot_create);
}
