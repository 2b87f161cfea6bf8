// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace accord {

/// Keeps the record of a device, and decides from it whether the device gets more batches, and
/// which part of its memory they may use. Faults are forgiven after successful batches, not after a
/// time, so that long and short runs treat a device alike. Not thread-safe.
class DeviceHealth {
 public:
  /// Faults in a row after which a device is retired. Memory errors count only for a batch that
  /// cannot be halved.
  static constexpr int kMostFaultsInRow = 3;
  /// Faults after which a device is retired. Every kForgiving successful batches cancel one fault,
  /// so that rare faults do not retire a device, however many there are.
  static constexpr int kMostFaults = 20, kForgiving = 10;
  /// A memory error halves the memory that a batch may use. After this many successful batches
  /// without a memory error, the memory is doubled again. Every memory error, also the first,
  /// doubles the number, so that a device which claims too much memory costs little. The constant
  /// is the number before the first memory error.
  static constexpr std::uint64_t kMemoryTrial = 8;

  /// Records a successful batch.
  void note_success();
  /// Records a failed batch. `of_memory`: the batch ran out of memory. `is_divisible`: the halves
  /// of the batch can be tried.
  void note_fault(bool of_memory, bool is_divisible);

  /// Whether the device is to be retired.
  bool is_hopeless() const;
  /// The number of equal parts of the memory that the device claims; a batch may use one part.
  std::uint32_t memory_parts() const { return memory_parts_; }

 private:
  int faults_in_row_ = 0;
  int burden_ = 0;  // kForgiving for each fault
  std::uint32_t memory_parts_ = 1;
  std::uint64_t went_well_ = 0;  // batches with this part of the memory
  std::uint64_t trial_ = kMemoryTrial;
};

}  // namespace accord
