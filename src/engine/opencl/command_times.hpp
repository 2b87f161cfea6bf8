// SPDX-License-Identifier: Apache-2.0
// The commands of devices in the timeline of a run (base/timeline.hpp): kernels, uploads and
// downloads, at the times that the driver measured on the device.
//
// All calls go through library.cpp, which notes the commands of the queues that
// time_commands_of() names. So no stage has to know of the timeline.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "base/timeline.hpp"
#include "engine/opencl/cl.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/entry_points.hpp"

namespace accord::ocl {

/// The properties of a new queue: while the run is recorded, it measures the times of its commands.
cl_command_queue_properties queue_properties();

/// From now on the commands of a queue with these properties are noted as those of a device. Does
/// nothing if nothing is recorded.
void time_commands_of(const cl::CommandQueue& queue, const DeviceInfo& device);

/// A command that was enqueued.
struct EnqueuedCommand {
  Entry entry;                   ///< the function that enqueued it
  cl_command_queue queue;        ///< its queue
  cl_kernel kernel = nullptr;    ///< that it runs, if it runs one
  std::size_t bytes = 0;         ///< that it moves
  cl_event event = nullptr;      ///< its event, of which note_command() keeps a reference
  bool owns_event = false;       ///< whether the reference of the caller is that one
  double before = 0, after = 0;  ///< timeline_seconds() around the call
};

/// Notes a command. Throws nothing: a command whose times the driver does not tell is left out.
void note_command(const EnqueuedCommand& command) noexcept;

/// The commands so far, in rows of which no span overlaps another, and forgets them. A command
/// that has not ended is left out.
std::vector<TimelineRow> take_command_rows();

/// Divides spans among as few rows as there are spans at a time. Their names are `name`, "`name`
/// 2", ... Pure.
std::vector<TimelineRow> in_rows(const std::string& device, const std::string& name,
                                 std::vector<RecordedSpan> spans);

}  // namespace accord::ocl
