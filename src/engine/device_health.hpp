// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace accord {

/// The record of a device, and what follows from it: whether it gets more batches, and which part
/// of its memory they may use. Faults are forgiven after batches that succeed, not after a time, so
/// that long and short runs treat a device alike.
class DeviceHealth {
 public:
  static constexpr int kMostFaultsInRow = 3;  ///< memory errors count once nothing can be halved
  /// Faults after which a device is retired. Every kForgiving successful batches cancel one fault,
  /// so that rare faults do not retire a device, however many there are.
  static constexpr int kMostFaults = 20, kForgiving = 10;
  /// Successful batches after which the memory of a batch is doubled again. Every memory error
  /// doubles their number, so that a device which claims too much memory costs little.
  static constexpr std::uint64_t kMemoryTrial = 8;

  void note_success();
  /// Records a failed batch. `is_divisible`: its halves can be tried.
  void note_fault(bool of_memory, bool is_divisible);

  bool is_hopeless() const;
  /// Batches plan with one of this number of parts of the memory that the device claims.
  std::uint32_t memory_parts() const { return memory_parts_; }

 private:
  int faults_in_row_ = 0;
  int burden_ = 0;  // kForgiving for each fault
  std::uint32_t memory_parts_ = 1;
  std::uint64_t went_well_ = 0;  // with this part of the memory
  std::uint64_t trial_ = kMemoryTrial;
};

}  // namespace accord
