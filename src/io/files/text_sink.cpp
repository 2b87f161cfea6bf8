// SPDX-License-Identifier: Apache-2.0
#include "io/files/text_sink.hpp"

namespace accord {
namespace {

constexpr std::size_t kCollectedBytes = std::size_t{1} << 18;

}  // namespace

TextSink& TextSink::operator<<(std::string_view part) {
  if (collected_.size() + part.size() > kCollectedBytes) flush();
  if (part.size() > kCollectedBytes) {
    taker_(part);
  } else {
    collected_ += part;
  }
  return *this;
}

void TextSink::flush() {
  if (!collected_.empty()) taker_(collected_);
  collected_.clear();
}

void hand_on(const TextWriter& write, ByteTaker taker) {
  TextSink sink(std::move(taker));
  write(sink);
  sink.flush();
}

std::string written_text(const TextWriter& write) {
  std::string text;
  hand_on(write, [&](std::string_view part) { text += part; });
  return text;
}

}  // namespace accord
