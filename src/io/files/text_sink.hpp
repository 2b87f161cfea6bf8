// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace accord {

/// Receives bytes in parts, in order.
using ByteTaker = std::function<void(std::string_view)>;

/// Receives a text in parts, so that only a part of a large text is in memory. Small parts are
/// collected before they are passed to the taker.
class TextSink {
 public:
  /// Begins with an empty text. `taker` gets its parts during later calls, and never an empty part.
  explicit TextSink(ByteTaker taker) : taker_(std::move(taker)) {}
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;

  /// Appends to the text, as it stands.
  /// Throws  what the taker throws.
  TextSink& operator<<(std::string_view part);
  TextSink& operator<<(char c) { return *this << std::string_view(&c, 1); }

  /// Passes the collected parts to the taker. Call it at the end of the text: the destructor does
  /// not.
  /// Throws  what the taker throws.
  void flush();

 private:
  ByteTaker taker_;
  std::string collected_;
};

/// Writes a text to a sink; every call writes the same text.
using TextWriter = std::function<void(TextSink&)>;

/// Calls `write` with a new sink that passes the text to `taker`, and flushes the sink.
/// Throws  what `write` and `taker` throw.
void hand_on(const TextWriter& write, ByteTaker taker);

/// Returns the whole text of a writer.
std::string written_text(const TextWriter& write);

}  // namespace accord
