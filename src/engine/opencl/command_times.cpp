// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/command_times.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace accord::ocl {
namespace {

/// Noted commands whose times are read at once, so that events of ended commands do not pile up.
constexpr std::size_t kReadAtOnce = 512;

/// The commands of a device.
struct DeviceCommands {
  std::string device;
  std::map<std::string, std::vector<RecordedSpan>> spans = {};  // by kind
  // When the first command was enqueued, from which the seconds of the device count: the
  // nanoseconds of some clocks count from 1970, and need more digits than a double has.
  cl_ulong zero = 0;
  // The seconds of the device plus a number between these two are timeline_seconds(): a command is
  // enqueued, by the clock of the device, while the function that enqueues it runs.
  double least_offset = -std::numeric_limits<double>::infinity();
  double most_offset = std::numeric_limits<double>::infinity();

  double offset() const { return (least_offset + most_offset) / 2; }
};

/// A command whose times are not read yet. Holds a reference to its event.
struct Noted {
  DeviceCommands* commands;
  std::string kind, name;
  double bytes;
  cl_event event;
  double before, after;
  std::shared_ptr<const std::string> family;
};

struct Commands {
  std::mutex mutex;
  std::map<std::string, DeviceCommands> of_device;
  std::map<cl_command_queue, DeviceCommands*> of_queue;
  std::deque<Noted> noted;  // in the order of their calls
};

/// Never destroyed, since threads may outlive main().
Commands& commands() {
  static auto* const made = new Commands;
  return *made;
}

const char* kind_of(Entry entry) {
  switch (entry) {
    case Entry::clEnqueueNDRangeKernel:
      return "kernels";
    case Entry::clEnqueueWriteBuffer:
      return "upload";
    case Entry::clEnqueueReadBuffer:
      return "download";
    default:
      return "map";
  }
}

std::string name_of(cl_kernel kernel) {
  char name[64] = {};
  const bool is_known = clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name,
                                        nullptr) == CL_SUCCESS;
  return is_known ? name : "a kernel";
}

/// Nanoseconds by the clock of the device; no value if the driver does not tell.
std::optional<cl_ulong> time_of(cl_event event, cl_profiling_info moment) {
  cl_ulong nanoseconds = 0;
  const cl_int status =
      clGetEventProfilingInfo(event, moment, sizeof nanoseconds, &nanoseconds, nullptr);
  return status == CL_SUCCESS ? std::optional(nanoseconds) : std::nullopt;
}

bool has_ended(cl_event event) {
  cl_int status = CL_QUEUED;
  return clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                        nullptr) == CL_SUCCESS &&
         status == CL_COMPLETE;
}

/// Reads the times of a command that has ended, in seconds of the device.
void read_times(const Noted& noted) {
  const std::optional<cl_ulong> times[] = {time_of(noted.event, CL_PROFILING_COMMAND_QUEUED),
                                           time_of(noted.event, CL_PROFILING_COMMAND_START),
                                           time_of(noted.event, CL_PROFILING_COMMAND_END)};
  const bool are_known = times[0] && times[1] && times[2];
  if (!are_known || *times[1] < *times[0] || *times[2] < *times[1] || !take_timeline_room()) return;
  DeviceCommands& of = *noted.commands;
  if (of.zero == 0) of.zero = *times[0];
  const auto seconds = [&](cl_ulong time) {
    return 1e-9 * static_cast<double>(static_cast<cl_long>(time - of.zero));
  };
  const double queued = seconds(*times[0]), start = seconds(*times[1]), end = seconds(*times[2]);
  of.least_offset = std::max(of.least_offset, noted.before - queued);
  of.most_offset = std::min(of.most_offset, noted.after - queued);
  RecordedSpan span{
      .kind = SpanKind::device, .name = noted.name, .begin = start, .seconds = end - start};
  span.family = noted.family;
  if (noted.bytes > 0) span.values.emplace_back("bytes", noted.bytes);
  span.values.emplace_back("waited ms", 1e3 * (start - queued));
  of.spans[noted.kind].push_back(std::move(span));
}

/// Reads the times of all commands that have ended. The caller holds the lock.
void read_ended(std::deque<Noted>& noted) {
  std::erase_if(noted, [](const Noted& command) {
    if (!has_ended(command.event)) return false;
    read_times(command);
    clReleaseEvent(command.event);
    return true;
  });
}

}  // namespace

cl_command_queue_properties queue_properties() {
  return is_recording() ? CL_QUEUE_PROFILING_ENABLE : 0;
}

void time_commands_of(const cl::CommandQueue& queue, const DeviceInfo& device) {
  if (!is_recording()) return;
  Commands& all = commands();
  const std::lock_guard lock(all.mutex);
  const std::string name = device.name + ": " + device.description;
  DeviceCommands& of_device = all.of_device.try_emplace(name, DeviceCommands{name}).first->second;
  all.of_queue[queue()] = &of_device;
}

void note_command(const EnqueuedCommand& command) noexcept {
  bool is_kept = false;
  try {
    Commands& all = commands();
    const std::lock_guard lock(all.mutex);
    const auto queue = all.of_queue.find(command.queue);
    if (queue != all.of_queue.end()) {
      const std::string kind = kind_of(command.entry);
      all.noted.push_back({queue->second, kind, command.kernel ? name_of(command.kernel) : kind,
                           static_cast<double>(command.bytes), command.event, command.before,
                           command.after, TimelineFamily::current()});
      is_kept = true;
      if (!command.owns_event) clRetainEvent(command.event);
      if (all.noted.size() % kReadAtOnce == 0) read_ended(all.noted);
    }
  } catch (const std::exception&) {  // no memory: the command is left out
  }
  if (!is_kept && command.owns_event) clReleaseEvent(command.event);
}

std::vector<TimelineRow> take_command_rows() {
  Commands& all = commands();
  const std::lock_guard lock(all.mutex);
  read_ended(all.noted);
  std::vector<TimelineRow> rows;
  for (auto& [name, of_device] : all.of_device) {
    for (auto& [kind, spans] : of_device.spans) {
      for (RecordedSpan& span : spans) span.begin += of_device.offset();
      std::ranges::move(in_rows(name, kind, std::exchange(spans, {})), std::back_inserter(rows));
    }
  }
  return rows;
}

std::vector<TimelineRow> in_rows(const std::string& device, const std::string& name,
                                 std::vector<RecordedSpan> spans) {
  std::ranges::sort(spans, {}, &RecordedSpan::begin);
  std::vector<TimelineRow> rows;
  std::vector<double> ends;
  for (RecordedSpan& span : spans) {
    const auto is_free = [&](double end) { return end <= span.begin; };
    const auto place = static_cast<std::size_t>(std::ranges::find_if(ends, is_free) - ends.begin());
    if (place == rows.size()) {
      const std::string number = place == 0 ? "" : " " + std::to_string(place + 1);
      rows.push_back({device, name + number});
      ends.push_back(0);
    }
    ends[place] = span.begin + span.seconds;
    rows[place].spans.push_back(std::move(span));
  }
  return rows;
}

}  // namespace accord::ocl
