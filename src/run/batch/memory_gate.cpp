// SPDX-License-Identifier: Apache-2.0
#include "run/batch/memory_gate.hpp"

#include <algorithm>
#include <optional>

#include "base/timeline.hpp"

namespace accord {

MemoryGate::Pass::Pass(MemoryGate& gate, std::size_t bytes)
    : gate_(gate), bytes_(std::min(bytes, gate.all_)) {
  std::unique_lock lock(gate_.mutex_);
  const std::size_t ticket = gate_.next_ticket_++;
  const auto is_served = [&] {
    return ticket == gate_.served_ && gate_.used_ + bytes_ <= gate_.all_;
  };
  if (!is_served()) {
    const TimelineSpan span(SpanKind::wait, "wait for memory");
    gate_.changed_.wait(lock, is_served);
  }
  ++gate_.served_;
  gate_.set_used(gate_.used_ + bytes_);
}

MemoryGate::Pass::~Pass() {
  const std::lock_guard lock(gate_.mutex_);
  gate_.set_used(gate_.used_ - bytes_);
}

std::size_t MemoryGate::waiting() {
  const std::lock_guard lock(mutex_);
  return next_ticket_ - served_;
}

/// The caller holds the lock.
void MemoryGate::set_used(std::size_t bytes) {
  used_ = bytes;
  record_value(name_, static_cast<double>(bytes));
  changed_.notify_all();
}

}  // namespace accord
