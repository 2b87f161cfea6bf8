// SPDX-License-Identifier: Apache-2.0
#include "io/files/record_watch.hpp"

#include <algorithm>
#include <cctype>

namespace accord {
namespace {

constexpr std::size_t kMarkEnd = 3;  // place of `;` in ">P1;", and of `_` in ">ss_pred"

}  // namespace

RecordWatch::RecordWatch(const ReadLimits& limits, const std::string& label)
    : limits_(limits), label_(label), is_watched_(limits.sequences || limits.residues) {}

void RecordWatch::add(std::string_view part) {
  if (!is_watched_) return;
  if (bytes_ == 0 && !part.starts_with('>')) is_watched_ = false;
  bytes_ += part.size();
  for (std::size_t k = 0; is_watched_ && k < part.size(); ++k) count(part[k]);
  if (is_watched_) check();
}

void RecordWatch::count(char c) {
  if (c == '\n' || c == '\r') {
    in_line_ = 0;
    is_header_ = false;
    return;
  }
  const std::size_t place = in_line_++;
  if (place == 0) {
    is_comment_ = c == ';' || c == '#';
    is_header_ = c == '>';
    if (!is_header_) return count_letter(c);
    ++sequences_;
    residues_ = 0;
    is_annotation_ = false;
  } else if (!is_header_) {
    count_letter(c);
  } else if (place == 1) {
    first_ = c;
  } else if (place == kMarkEnd && c == ';' && sequences_ == 1) {
    is_watched_ = false;
  } else if (place == kMarkEnd && c == '_' && (first_ == 's' || first_ == 'a')) {
    is_annotation_ = true;  // a row of HH-suite, such as ss_pred
    --sequences_;
  }
}

void RecordWatch::count_letter(char c) {
  if (is_comment_ || is_annotation_ || std::isalpha(static_cast<unsigned char>(c)) == 0) return;
  longest_ = std::max(longest_, ++residues_);
}

void RecordWatch::check() const {
  constexpr std::size_t kLong = std::size_t{1} << 20;
  if (bytes_ < kLong) return;
  const auto exceeds = [](std::size_t count, const std::optional<int>& limit) {
    return limit && count > static_cast<std::size_t>(*limit);
  };
  if (exceeds(sequences_, limits_.sequences)) throw too_many(label_, sequences_, limits_, true);
  if (exceeds(longest_, limits_.residues)) throw too_long(label_, longest_, limits_, true);
}

Error too_many(const std::string& label, std::size_t sequences, const ReadLimits& limits,
               bool is_more) {
  return Error(ErrorKind::bad_input,
               label + ": " + (is_more ? "more than " : "") + std::to_string(sequences) +
                   " sequences; the limit is " + std::to_string(limits.sequences.value_or(0)),
               "leave out some sequences, or raise {max-seqs}");
}

Error too_long(const std::string& label, std::size_t residues, const ReadLimits& limits,
               bool is_more) {
  return Error(ErrorKind::bad_input,
               label + ": a sequence of " + (is_more ? "more than " : "") +
                   std::to_string(residues) + " residues; the limit is " +
                   std::to_string(limits.residues.value_or(0)),
               "cut the longest sequences, or raise {max-length}");
}

}  // namespace accord
