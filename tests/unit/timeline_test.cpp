// SPDX-License-Identifier: Apache-2.0
#include "base/timeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "method/stage_log.hpp"
#include "run/batch/memory_gate.hpp"
#include "run/report/timeline_text.hpp"
#include "support/align_cases.hpp"
#include "support/waiting.hpp"

namespace accord::testing {
namespace {

/// Records until its end.
struct Recording {
  Recording() { start_timeline(); }
  ~Recording() { take_timeline(); }
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
};

const TimelineRow* row_named(const Timeline& timeline, const std::string& name) {
  const auto found = std::ranges::find(timeline.rows, name, &TimelineRow::name);
  return found == timeline.rows.end() ? nullptr : &*found;
}

/// The only span of this name in a row.
const RecordedSpan& span_named(const TimelineRow& row, const std::string& name) {
  REQUIRE(std::ranges::count(row.spans, name, &RecordedSpan::name) == 1);
  return *std::ranges::find(row.spans, name, &RecordedSpan::name);
}

bool is_within(const RecordedSpan& inner, const RecordedSpan& outer) {
  return inner.begin >= outer.begin &&
         inner.begin + inner.seconds <= outer.begin + outer.seconds + 1e-9;
}

TEST_CASE("timeline: spans of a thread are within each other, and have their values and family") {
  const Recording recording;
  {
    const TimelineFamily family("globins");
    TimelineSpan outer(SpanKind::stage);
    outer.rename("posteriors");
    outer.add("detail", "3 pairs");
    {
      TimelineSpan inner(SpanKind::batch, "batch");
      inner.add("pairs", 3);
    }
    const TimelineSpan unnamed(SpanKind::stage);
  }
  { const TimelineSpan later(SpanKind::step, "write"); }
  const Timeline timeline = take_timeline();
  const TimelineRow* row = row_named(timeline, "main");
  REQUIRE(row != nullptr);
  CHECK(row->device.empty());
  REQUIRE(row->spans.size() == 3);  // without the unnamed one
  const RecordedSpan& outer = span_named(*row, "posteriors");
  const RecordedSpan& inner = span_named(*row, "batch");
  const RecordedSpan& later = span_named(*row, "write");
  CHECK(is_within(inner, outer));
  CHECK(later.begin >= outer.begin + outer.seconds);
  CHECK(outer.kind == SpanKind::stage);
  CHECK(std::get<std::string>(outer.values.at(0).second) == "3 pairs");
  CHECK(std::get<double>(inner.values.at(0).second) == 3);
  REQUIRE(inner.family != nullptr);
  CHECK(*inner.family == "globins");
  CHECK(later.family == nullptr);
  CHECK(timeline.spans_out == 0);
}

TEST_CASE("timeline: each thread has its row, and one that comes later takes over a row") {
  const Recording recording;
  std::atomic<int> begun{0};
  const auto work = [&](const std::string& name) {
    name_thread("worker");
    const TimelineSpan span(SpanKind::step, name);
    ++begun;
    wait_until([&] { return begun >= 2; });
  };
  std::thread first(work, "a"), second(work, "b");
  first.join();
  second.join();
  std::thread(work, "c").join();
  const Timeline timeline = take_timeline();
  std::vector<std::vector<std::string>> names;
  for (const TimelineRow& row : timeline.rows) {
    CHECK(row.name == "worker");
    names.emplace_back();
    for (const RecordedSpan& span : row.spans) names.back().push_back(span.name);
  }
  REQUIRE(names.size() == 2);
  CHECK(names[0].size() + names[1].size() == 3);
  CHECK(names[0].front() != names[1].front());
  CHECK((names[0].back() == "c" || names[1].back() == "c"));
}

TEST_CASE("timeline: threads of a loop have the name and the family of the span around it") {
  const Recording recording;
  const ThreadCount scope(2);
  {
    const TimelineFamily family("globins");
    TimelineSpan stage(SpanKind::stage, "align");
    const TimelineSpan unnamed(SpanKind::stage);
    std::atomic<int> begun{0};
    parallel_for(2, [&](std::size_t, int) {
      ++begun;
      wait_until([&] { return begun == 2; });
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    parallel_for(2, [](std::size_t, int) {});  // too short to be seen, on a machine that is idle
  }
  const Timeline timeline = take_timeline();
  std::size_t threads = 0;
  for (const TimelineRow& row : timeline.rows) {
    threads += std::ranges::any_of(row.spans, [](const RecordedSpan& span) {
      return span.kind == SpanKind::loop && span.name == "align" && span.family != nullptr &&
             *span.family == "globins" && span.seconds >= 1e-3;
    });
  }
  CHECK(threads == 2);
}

TEST_CASE("timeline: nothing is recorded before it begins and after it ends") {
  { const TimelineSpan before(SpanKind::step, "before"); }
  start_timeline();
  { const TimelineSpan seen(SpanKind::step, "seen"); }
  take_timeline();
  { const TimelineSpan after(SpanKind::step, "after"); }
  record_value("count", 1);
  start_timeline();
  const Timeline timeline = take_timeline();
  CHECK(timeline.rows.empty());
  CHECK(timeline.values.empty());
}

TEST_CASE("timeline: a span that has not ended is there, and is said to be open") {
  const Recording recording;
  TimelineSpan span(SpanKind::step, "read");
  const Timeline timeline = take_timeline();
  const TimelineRow* row = row_named(timeline, "main");
  REQUIRE(row != nullptr);
  CHECK(span_named(*row, "read").is_open);
  CHECK(span_named(*row, "read").seconds >= 0);
}

TEST_CASE("timeline: a stage has the name and the detail of its record, and its time") {
  const Recording recording;
  std::vector<StageRecord> records;
  const RunListener listener;
  {
    StageLog log(records, listener);
    log.begin("tree");
    log.finish("tree", "3 leaves");
    log.finish("align", "7 columns");
  }
  const Timeline timeline = take_timeline();
  const TimelineRow* row = row_named(timeline, "main");
  REQUIRE(row != nullptr);
  REQUIRE(row->spans.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(row->spans[k].name == records[k].name);
    CHECK(row->spans[k].seconds >= records[k].seconds);
    CHECK(std::get<std::string>(row->spans[k].values.at(0).second) == records[k].detail);
  }
}

TEST_CASE("timeline: who waits for memory, and how much is reserved") {
  const Recording recording;
  MemoryGate gate(10, "bytes");
  std::thread second;
  {
    const MemoryGate::Pass first(gate, 8);
    second = std::thread([&] {
      name_thread("second");
      const MemoryGate::Pass pass(gate, 8);
    });
    wait_until([&] { return gate.waiting() == 1; });
  }
  second.join();
  const Timeline timeline = take_timeline();
  std::vector<double> values;
  for (const RecordedValue& value : timeline.values) values.push_back(value.value);
  CHECK(values == std::vector<double>{8, 0, 8, 0});
  const TimelineRow* row = row_named(timeline, "second");
  REQUIRE(row != nullptr);
  CHECK(span_named(*row, "wait for memory").kind == SpanKind::wait);
}

TEST_CASE("timeline: the text is JSON of the Trace Event Format") {
  Timeline timeline;
  RecordedSpan span{.kind = SpanKind::stage, .name = "align", .begin = 0.5, .seconds = 0.25};
  span.family = std::make_shared<const std::string>("bad \xff byte");
  span.cpu_begin = 0.1;
  span.cpu_seconds = 0.2;
  span.values.emplace_back("detail", "7 columns");
  timeline.rows.push_back({{}, "main", {span}});
  timeline.rows.push_back({"gpu0: a GPU", "kernels", {{.kind = SpanKind::device, .name = "join"}}});
  timeline.values.push_back({"open requests", 0.75, 2});
  timeline.seconds = 1;
  const nlohmann::json json =
      nlohmann::json::parse(written_text([&](TextSink& out) { write_timeline(timeline, out); }));
  CHECK(json["otherData"]["seconds"] == 1);
  std::vector<nlohmann::json> spans;
  std::vector<std::string> names;
  for (const nlohmann::json& event : json["traceEvents"]) {
    if (event["ph"] == "X") spans.push_back(event);
    if (event["ph"] == "M" && event["name"] != "thread_sort_index") {
      names.push_back(event["args"]["name"]);
    }
    if (event["ph"] == "C") {
      CHECK(event["name"] == "open requests");
      CHECK(event["ts"] == 750'000);
      CHECK(event["args"]["value"] == 2);
    }
  }
  CHECK(names == std::vector<std::string>{"accord", "main", "gpu0: a GPU", "kernels"});
  REQUIRE(spans.size() == 2);
  CHECK(spans[0]["cat"] == "stage");
  CHECK(spans[0]["ts"] == 500'000);
  CHECK(spans[0]["dur"] == 250'000);
  CHECK(spans[0]["tdur"] == 200'000);
  CHECK(spans[0]["args"]["family"] == "bad \xef\xbf\xbd byte");
  CHECK(spans[0]["args"]["detail"] == "7 columns");
  CHECK(spans[0]["pid"] != spans[1]["pid"]);
  CHECK_FALSE(spans[1].contains("tdur"));
}

}  // namespace
}  // namespace accord::testing
