// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace accord {

/// A stage that a run will have.
struct ExpectedStage {
  std::string name;         ///< as begin() will have it
  double seconds = 0;       ///< that it usually takes the host
  bool on_devices = false;  ///< whether devices, whose speed is not known, compute it
};

/// Receives the progress of a run. A function that reports to a listener takes it as an argument;
/// the listener must outlive the call of that function. Any thread may call the listener, and
/// several threads may call advance() at the same time.
class ProgressListener {
 public:
  virtual ~ProgressListener() = default;

  /// The run will have these stages, and no others that take long; called before the first begins.
  /// A run may also leave out the call, if its stages are not known.
  virtual void expect(const std::vector<ExpectedStage>&) {}

  /// A stage begins. `unit` names its items ("pairs"), `work` is its total work, in a unit that
  /// takes about the same time everywhere. 0 items: their number is not known.
  virtual void begin(const std::string& stage, const std::string& unit, std::uint64_t items,
                     std::uint64_t work) = 0;

  /// More of the stage is done: finished items, or work on unfinished ones, or both. Work that a
  /// device had to repeat may be counted twice. If this throws, the call that reports to the
  /// listener soon ends with the same exception.
  virtual void advance(std::uint64_t items, std::uint64_t work) = 0;
};

}  // namespace accord
