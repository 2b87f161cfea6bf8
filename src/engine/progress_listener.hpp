// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace accord {

/// Told how far a run has come. It is handed to each call that reports to it, and must live until
/// that call has returned; nobody keeps it longer. Any thread may call it.
class ProgressListener {
 public:
  virtual ~ProgressListener() = default;

  /// A stage begins; nothing of it is done. `unit` names its items ("pairs"), `work` is their total
  /// in a unit in which time is even. 0 items: their number is not known.
  virtual void begin(const std::string& stage, const std::string& unit, std::uint64_t items,
                     std::uint64_t work) = 0;

  /// So much more of the stage is done: items that are, or work on items that are not yet, or both.
  /// What a device had to repeat may be counted twice. What it throws ends the call that it was
  /// handed to, soon and with that exception.
  virtual void advance(std::uint64_t items, std::uint64_t work) = 0;
};

}  // namespace accord
