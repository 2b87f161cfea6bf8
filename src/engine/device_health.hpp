// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace accord {

/// How the batches of a device went, and what follows from it: whether it is still given any, and
/// what part of its memory they may plan with. Old faults are forgiven by batches that go well, not
/// by time, so that a long run treats a device as a short one does.
class DeviceHealth {
 public:
  static constexpr int kMostFaultsInRow = 3;  ///< memory errors count once nothing can be halved
  /// Faults for which a device is given up, where every kForgiving batches that went well take one
  /// away: one fault in more batches than that, however many there are, is no reason.
  static constexpr int kMostFaults = 20, kForgiving = 10;
  /// Batches that must go well before they get twice the memory again. Every memory error doubles
  /// their number, so that a device which claims too much costs little.
  static constexpr std::uint64_t kMemoryTrial = 8;

  void note_success();
  /// A batch failed. `is_divisible`: its halves can be tried.
  void note_fault(bool of_memory, bool is_divisible);

  bool is_hopeless() const;
  /// Batches plan with one of so many parts of the memory that the device claims.
  std::uint32_t memory_parts() const { return memory_parts_; }

 private:
  int faults_in_row_ = 0;
  int burden_ = 0;  // kForgiving for each fault
  std::uint32_t memory_parts_ = 1;
  std::uint64_t went_well_ = 0;  // with this part of the memory
  std::uint64_t trial_ = kMemoryTrial;
};

}  // namespace accord
