// SPDX-License-Identifier: Apache-2.0
#include "io/families/structure_inputs.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>

#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "io/files/reading_memory.hpp"
#include "io/formats/formats.hpp"

namespace accord {
namespace {

/// A file as a thread has read it.
struct ReadStructure {
  InputText input;
  std::vector<HeldMessage> messages;
  std::exception_ptr error;
};

}  // namespace

std::vector<InputText> read_structures(std::span<const InputFile> files, const FamilySource& source,
                                       bool with_checksums) {
  const std::size_t most = 16 * static_cast<std::size_t>(thread_count());
  std::size_t count = 0;
  while (count < std::min(most, files.size()) && is_structure_path(files[count].path)) ++count;
  std::vector<ReadStructure> read(count);
  const std::size_t limit = reading_limit();
  parallel_for(count, [&](std::size_t k, int) {
    LogHold hold;
    const ReadingScope scope(limit);
    try {
      read[k].input = read_input(files[k], source, with_checksums);
      read[k].input.records = records_of_input(read[k].input, source);
      read[k].input.text.clear();
    } catch (...) {
      read[k].error = std::current_exception();
    }
    read[k].messages = hold.take();
  });
  std::vector<InputText> inputs;
  for (auto& [input, messages, error] : read) {
    log_held(messages);
    if (error) std::rethrow_exception(error);
    count_reading(record_bytes(*input.records), input_label(input.file.path),
                  counted(input.records->size(), "sequence"));
    inputs.push_back(std::move(input));
  }
  return inputs;
}

}  // namespace accord
