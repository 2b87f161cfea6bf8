// SPDX-License-Identifier: Apache-2.0
#include "engine/stage_request.hpp"

#include <utility>

namespace accord {

bool is_device_fault(const Error& error) {
  return error.kind() == ErrorKind::device_failed ||
         error.kind() == ErrorKind::device_unavailable || error.kind() == ErrorKind::out_of_memory;
}

double StageRequest::all_work(std::size_t items) const {
  double sum = 0;
  for (std::size_t item = 0; item < items; ++item) sum += work(item);
  return sum;
}

void StageRequest::fail(std::exception_ptr error) {
  const std::lock_guard lock(error_mutex_);
  if (!error_) error_ = std::move(error);
  failed_.store(true);
}

std::exception_ptr StageRequest::error() const {
  const std::lock_guard lock(error_mutex_);
  return error_;
}

}  // namespace accord
