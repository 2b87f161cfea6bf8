// SPDX-License-Identifier: Apache-2.0
#include "app/cli/timeline_file.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "base/log.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "engine/opencl/command_times.hpp"
#include "io/files/output_file.hpp"
#include "run/report/timeline_text.hpp"

namespace accord {
namespace {

std::mutex g_timeline_mutex;

/// Never destroyed, since a signal may come while the process ends.
std::string& timeline_path() {
  static auto* const path = new std::string;
  return *path;
}

/// The path of the file, the first time that it is asked for; then empty.
std::string take_path() {
  const std::lock_guard lock(g_timeline_mutex);
  return std::exchange(timeline_path(), {});
}

std::string timeline_as_text(const Timeline& timeline) {
  return written_text([&](TextSink& out) { write_timeline(timeline, out); });
}

Timeline whole_timeline() {
  Timeline timeline = take_timeline();
  std::ranges::move(ocl::take_command_rows(), std::back_inserter(timeline.rows));
  return timeline;
}

}  // namespace

void set_timeline_file(const std::string& path) {
  const std::lock_guard lock(g_timeline_mutex);
  timeline_path() = path;
}

void write_timeline_file() {
  const std::string path = take_path();
  if (path.empty()) return;
  const Timeline timeline = whole_timeline();
  if (timeline.spans_out > 0) {
    log_warning(
        path + " lacks " + counted(timeline.spans_out, "span") + ", for which it has no room",
        "have a timeline of a part of the work, such as a shard of a batch");
  }
  write_outputs({{path, [&](TextSink& out) { write_timeline(timeline, out); }}});
}

void write_timeline_of_failure(bool ends_at_once) noexcept {
  try {
    const std::string path = take_path();
    if (path.empty() || (ends_at_once && may_wait_for_reader(path))) return;
    if (ends_at_once) {
      write_output_in_place(path, timeline_as_text(take_timeline()));
    } else {
      write_output(path, timeline_as_text(whole_timeline()));
    }
  } catch (...) {  // the error that ends the run was printed, and says more
  }
}

}  // namespace accord
