// SPDX-License-Identifier: Apache-2.0
// The part of WorkQueue that handles failed batches.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/log.hpp"
#include "engine/work_queue_parts.hpp"

namespace accord {
namespace {

/// The Error, if a device may have caused it; else no value.
std::optional<Error> device_fault(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& fault) {
    return is_device_fault(fault) ? std::optional(fault) : std::nullopt;
  } catch (...) {
    return std::nullopt;
  }
}

}  // namespace

DeviceFaults DeviceFaults::since(const DeviceFaults& before) const {
  DeviceFaults later = *this;
  later.faults -= before.faults;
  later.retries -= before.retries;
  later.moves -= before.moves;
  if (before.faults > 0) later.first = last;
  return later;
}

void warn_of_device_faults(const DeviceFaults& faults) {
  if (faults.faults == 0) {
    for (const std::string& name : faults.retired) {
      log_warning(name + " was given up in an earlier call, and computes nothing",
                  "open it anew, or name another device");
    }
    return;
  }
  // The messages of a compiler are several lines; -v shows all of them.
  std::string text = "a device failed: " + faults.first.substr(0, faults.first.find('\n'));
  if (faults.faults > 1) text += " (and " + std::to_string(faults.faults - 1) + " more faults)";
  text += "; nothing is lost: " + std::to_string(faults.retries) + " batches were tried again, " +
          std::to_string(faults.moves) + " were moved to another device";
  for (const std::string& name : faults.retired) text += ", " + name + " was given up";
  log_warning(text, "{device=none} computes the same alignment without devices");
}

WorkQueue::Batch WorkQueue::Batch::split_off(std::size_t from) {
  Batch rest{{}, refused_by};
  std::vector<JobRange> kept;
  for (const JobRange& range : items) {
    const std::size_t count = range.last - range.first;
    const std::size_t middle = range.first + std::min(from, count);
    if (middle > range.first) kept.push_back({range.job, range.first, middle});
    if (middle < range.last) rest.items.push_back({range.job, middle, range.last});
    from -= middle - range.first;
  }
  items = std::move(kept);
  return rest;
}

void WorkQueue::note(const Error& fault) {
  log_verbose(std::string("device fault: ") + fault.what());
  faults_.last = fault.what();
  if (faults_.faults++ == 0) faults_.first = faults_.last;
}

void WorkQueue::handle_error(Worker& worker, Batch batch, const std::exception_ptr& error) {
  const std::optional<Error> fault = device_fault(error);
  if (fault && !worker.is_host) return handle_fault(worker, std::move(batch), *fault);
  for (const JobRange& range : batch.items) range.job->request.fail(error);
  finish(batch);
}

void WorkQueue::handle_fault(Worker& worker, Batch batch, const Error& fault) {
  note(fault);
  const std::size_t size = batch.size();
  StageRequest& request = batch.items.front().job->request;
  worker.health.note_fault(fault.kind() == ErrorKind::out_of_memory,
                           size > 1 || request.ends_with_fault());
  if (worker.health.is_hopeless()) return retire(worker, batch);
  if (request.ends_with_fault()) {  // such a request shares no batch
    ++faults_.retries;
    request.fail(std::make_exception_ptr(fault));
    return finish(batch);
  }
  if (size > 1) {
    ++faults_.retries;
    retry_later(batch.split_off(size / 2));
  } else {
    ++faults_.moves;
    batch.refused_by.push_back(worker.number);
  }
  retry_later(std::move(batch));
}

/// Puts a batch in front of the waiting batches, without the items of abandoned requests.
void WorkQueue::retry_later(Batch batch) {
  std::erase_if(batch.items, [&](const JobRange& range) {
    if (!range.job->request.failed()) return false;
    finish(range);
    return true;
  });
  if (!batch.items.empty()) retries_.push_front(std::move(batch));
}

/// Retires a backend. The other backends compute its batch, if it has one, in parts.
void WorkQueue::retire(Worker& worker, const Batch& batch) {
  if (!std::exchange(worker.retired, true)) {
    faults_.retired.push_back(worker.backend.name());
    log_verbose("retired      " + worker.backend.name());
  }
  changed_.notify_all();
  if (batch.items.empty()) return;
  ++faults_.moves;
  Batch rest = batch;
  constexpr std::size_t kParts = 16;
  const std::size_t part = (batch.size() + kParts - 1) / kParts;
  while (rest.size() > part) {
    Batch behind = rest.split_off(part);
    retry_later(std::exchange(rest, std::move(behind)));
  }
  retry_later(std::move(rest));
}

}  // namespace accord
