// SPDX-License-Identifier: Apache-2.0
// The commands of devices in the timeline of a run.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "engine/opencl/command_times.hpp"

namespace accord::testing {
namespace {

RecordedSpan span_at(double begin, double seconds) {
  return {.kind = SpanKind::device, .name = "join", .begin = begin, .seconds = seconds};
}

TEST_CASE("command timeline: commands that overlap are in several rows") {
  const std::vector<TimelineRow> rows =
      ocl::in_rows("gpu0", "kernels", {span_at(4, 1), span_at(0, 2), span_at(1, 2), span_at(2, 1)});
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name == "kernels");
  CHECK(rows[1].name == "kernels 2");
  CHECK(rows[0].device == "gpu0");
  REQUIRE(rows[0].spans.size() == 3);
  CHECK(rows[0].spans[1].begin == 2);
  CHECK(rows[0].spans[2].begin == 4);
  CHECK(rows[1].spans[0].begin == 1);
}

TEST_CASE("command timeline: uploads, downloads and maps of a device, at the time of the run") {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    start_timeline();
    const double begin = timeline_seconds();
    {
      const ocl::Session session(device);
      const std::vector<std::uint32_t> values(1000, 7);
      const cl::Buffer buffer = ocl::upload(session, std::span(values));
      std::vector<std::uint32_t> found(1000);
      session.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, 4000, found.data());
      CHECK(found == values);
      cl::Event event;  // that of the caller stays valid
      session.queue.enqueueReadBuffer(buffer, CL_FALSE, 0, 400, found.data(), nullptr, &event);
      ocl::wait_for(event);
      ocl::Mapped<std::uint32_t> mapped(session, buffer, CL_MAP_READ, 1000);
      CHECK(mapped.data()[999] == 7);
      mapped.unmap();
      session.queue.finish();
    }
    const double end = timeline_seconds();
    take_timeline();
    std::map<std::string, std::vector<double>> bytes;
    for (const TimelineRow& row : ocl::take_command_rows()) {
      CHECK(row.device == device.name + ": " + device.description);
      for (const RecordedSpan& span : row.spans) {
        CHECK(span.seconds >= 0);
        // The clock of a device is known to the time that the shortest call took.
        CHECK(span.begin > begin - 1);
        CHECK(span.begin + span.seconds < end + 1);
        bytes[row.name].push_back(std::get<double>(span.values.at(0).second));
      }
    }
    CHECK(bytes["upload"] == std::vector<double>{4000});
    CHECK(bytes["download"] == std::vector<double>{4000, 400});
    CHECK(bytes["map"] == std::vector<double>{4000});
    CHECK(ocl::take_command_rows().empty());
  }
}

TEST_CASE("command timeline: a queue measures no times while nothing is recorded") {
  CHECK(ocl::queue_properties() == 0);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    const ocl::Session session(device);
    const std::vector<std::uint32_t> values(10, 7);
    ocl::upload(session, std::span(values));
    CHECK(ocl::take_command_rows().empty());
  }
}

}  // namespace
}  // namespace accord::testing
