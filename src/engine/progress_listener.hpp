// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace accord {

/// Receives the progress of a run. Each call that reports to a listener takes it as an argument;
/// the listener must outlive that call, and nothing keeps it longer. Any thread may call it.
class ProgressListener {
 public:
  virtual ~ProgressListener() = default;

  /// A stage begins. `unit` names its items ("pairs"), `work` is its total work, in a unit that
  /// takes about the same time everywhere. 0 items: their number is not known.
  virtual void begin(const std::string& stage, const std::string& unit, std::uint64_t items,
                     std::uint64_t work) = 0;

  /// More of the stage is done: finished items, or work on unfinished ones, or both. Work that a
  /// device had to repeat may be counted twice. An exception that this throws soon ends the call
  /// that has the listener, with that exception.
  virtual void advance(std::uint64_t items, std::uint64_t work) = 0;
};

}  // namespace accord
