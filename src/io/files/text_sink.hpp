// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace accord {

/// Takes bytes that follow those that it took before.
using ByteTaker = std::function<void(std::string_view)>;

/// Where a text is written to, part by part: so that of a large one only a part is in memory. Small
/// parts are collected before they go on.
class TextSink {
 public:
  explicit TextSink(ByteTaker taker) : taker_(std::move(taker)) {}
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;

  /// Throws  what the taker throws.
  TextSink& operator<<(std::string_view part);
  TextSink& operator<<(char c) { return *this << std::string_view(&c, 1); }

  /// Hands on what is collected; for the end of the text.
  void flush();

 private:
  ByteTaker taker_;
  std::string collected_;
};

/// Writes a text to a sink, the same whenever it is called.
using TextWriter = std::function<void(TextSink&)>;

/// Has a text written, and hands it on to the end.
void hand_on(const TextWriter& write, ByteTaker taker);

/// The text that is written, as a whole.
std::string written_text(const TextWriter& write);

}  // namespace accord
