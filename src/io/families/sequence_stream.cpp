// SPDX-License-Identifier: Apache-2.0
// Reads families in blocks, for callers that keep only some of the sequences.
#include <algorithm>
#include <optional>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/families/family_shards.hpp"
#include "io/families/sequence_reader.hpp"
#include "io/files/packing.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/efa.hpp"
#include "io/formats/fasta.hpp"

namespace accord {
namespace {

constexpr std::size_t kLongestMark = 16;  // bytes by which a packing is recognised
constexpr std::size_t kBlockBytes = std::size_t{1} << 22;
constexpr std::size_t kTextCopies = 2;  // a text, and what it grows into

using SequenceTaker = std::function<void(SequenceRecord&&)>;

/// Reads the sequences of a text that comes in parts. FASTA is read when there is a block of it,
/// other formats at the end.
class TextInParts {
 public:
  TextInParts(std::string label, const ReadOptions& options, const SequenceTaker& take)
      : label_(std::move(label)), options_(options), take_(take) {}

  void add(std::string_view part) {
    check_reading(kTextCopies * (text_.size() + part.size()), label_,
                  format_bytes(static_cast<double>(text_.size() + part.size())) +
                      " of text, which has to be read as a whole,");
    text_ += part;
    if (text_.size() < next_size_) return;
    next_size_ = text_.size() + kBlockBytes;
    check();
    if (!is_fasta()) return;
    const std::size_t end = std::max(last_record("\n>"), last_record("\r>"));
    if (end == 0) return;
    read_fasta(std::string_view(text_).substr(0, end));
    text_.erase(0, end);
    next_size_ = kBlockBytes;
  }

  void finish() {
    check();
    if (has_read_) {
      read_fasta(text_);
    } else {
      const ReadingScope scope;  // the caller keeps some of the sequences
      take_all(records_of(text_, label_, options_));
    }
  }

 private:
  void check() {
    if (!has_read_) check_is_text(text_, label_);
  }
  bool is_fasta() const {
    return has_read_ ||
           (!is_efa(text_) && format_of_text(text_, label_, options_) == AlignmentFormat::fasta);
  }
  /// The offset of the last record that begins behind a line end; 0 if there is none.
  std::size_t last_record(std::string_view mark) const {
    const std::size_t at = text_.rfind(mark);
    return at == std::string::npos ? 0 : at + 1;
  }
  void read_fasta(std::string_view block) {
    const ReadingHold held(parsing_bytes(block, AlignmentFormat::fasta), label_,
                           "the records of a block of the text");
    OddCharacters odd;
    has_read_ = true;
    take_all(parse_fasta(block, label_, options_.lenient ? &odd : nullptr, lines_));
    LineReader lines(block, lines_);
    while (lines.next()) lines_ = lines.number();
  }
  void take_all(std::vector<SequenceRecord> records) {
    for (SequenceRecord& record : records) {
      std::erase_if(record.letters, [](char c) { return c == '-' || c == '.'; });
      take_(std::move(record));
    }
  }

  const std::string label_;
  const ReadOptions& options_;
  const SequenceTaker& take_;
  std::string text_;
  std::size_t next_size_ = kBlockBytes;
  bool has_read_ = false;
  std::size_t lines_ = 0;  // number of lines read
};

}  // namespace

void for_each_sequence(const FamilySource& source, const SequenceTaker& take) {
  for (const std::string& path : source.files) {
    const std::string label = input_label(path);
    TextInParts text(label, source.reading, take);
    const auto add = [&](std::string_view part) { text.add(part); };
    std::string held;  // bytes until the packing is known; all bytes of a packed file
    std::optional<Packing> packing;
    read_in_parts(path, [&](std::string_view part) {
      if (packing == Packing::none) return add(part);
      const std::size_t size = held.size() + part.size();
      check_reading(kTextCopies * size, label,
                    format_bytes(static_cast<double>(size)) + " of packed text");
      held += part;
      if (packing || held.size() < kLongestMark) return;
      packing = packing_of(held);
      if (packing == Packing::none) add(std::exchange(held, {}));
    });
    if (!packing) packing = packing_of(held);
    if (*packing == Packing::none) {
      add(held);
    } else {
      const ReadingHold packed(held.size(), label, "the packed text");
      unpack(*packing, held, label, add);
    }
    text.finish();
  }
}

}  // namespace accord
