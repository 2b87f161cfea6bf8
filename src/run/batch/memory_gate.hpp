// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace accord {

/// Memory for the families of a batch. A family reserves its memory before it starts, in the order
/// of arrival. A family whose worst case exceeds all memory reserves everything, and runs alone.
class MemoryGate {
 public:
  /// A gate with `bytes`, all of them free. `name`, a literal, names the reserved bytes in the
  /// timeline of the process.
  MemoryGate(std::size_t bytes, const char* name) : all_(bytes), name_(name) {}

  /// Reserved memory, until its end.
  class Pass {
   public:
    /// Waits its turn, and until `bytes`, or all bytes of the gate, are free.
    Pass(MemoryGate& gate, std::size_t bytes);
    ~Pass();
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    MemoryGate& gate_;
    const std::size_t bytes_;
  };

  /// The number of families that wait.
  std::size_t waiting();

 private:
  void set_used(std::size_t bytes);

  const std::size_t all_;
  const char* const name_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t used_ = 0, next_ticket_ = 0, served_ = 0;
};

}  // namespace accord
