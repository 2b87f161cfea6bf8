// SPDX-License-Identifier: Apache-2.0
#include "run/report/timeline_text.hpp"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::family:
      return "family";
    case SpanKind::stage:
      return "stage";
    case SpanKind::step:
      return "step";
    case SpanKind::batch:
      return "batch";
    case SpanKind::loop:
      return "loop";
    case SpanKind::wait:
      return "wait";
    case SpanKind::device:
      return "device";
  }
  return "";
}

/// Seconds in microseconds, to the nanosecond.
double microseconds(double seconds) { return std::round(seconds * 1e9) / 1e3; }

Json event_of(const RecordedSpan& span, int process, std::size_t row) {
  Json event = {{"ph", "X"},
                {"name", span.name},
                {"cat", name_of(span.kind)},
                {"pid", process},
                {"tid", row},
                {"ts", microseconds(span.begin)},
                {"dur", microseconds(span.seconds)}};
  if (span.cpu_begin >= 0 && span.cpu_seconds >= 0) {
    event["tts"] = microseconds(span.cpu_begin);
    event["tdur"] = microseconds(span.cpu_seconds);
  }
  Json values = Json::object();
  if (span.family != nullptr) values["family"] = *span.family;
  for (const auto& [name, value] : span.values) {
    std::visit([&, key = name](const auto& known) { values[key] = known; }, value);
  }
  if (span.is_open) values["unfinished"] = true;
  if (!values.empty()) event["args"] = std::move(values);
  return event;
}

/// An event that gives a process or a row its name, or its place among others.
Json metadata(const char* what, int process, std::size_t row, Json values) {
  return {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", row}, {"args", values}};
}

/// Writes events, a line each.
class EventWriter {
 public:
  explicit EventWriter(TextSink& out) : out_(out) {}

  void add(const Json& event) {
    if (!is_first_) out_ << ",\n";
    is_first_ = false;
    // Names of families may have any bytes.
    out_ << event.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

 private:
  TextSink& out_;
  bool is_first_ = true;
};

}  // namespace

void write_timeline(const Timeline& timeline, TextSink& out) {
  out << "{\"displayTimeUnit\":\"ms\",\"otherData\":"
      << Json({{"program", "accord " ACCORD_VERSION},
               {"seconds", timeline.seconds},
               {"cpu_seconds", timeline.cpu_seconds},
               {"left_out", timeline.spans_out}})
             .dump()
      << ",\n\"traceEvents\":[\n";
  EventWriter events(out);
  std::map<std::string, int> processes = {{"", 1}};
  events.add(metadata("process_name", 1, 0, {{"name", "accord"}}));
  for (std::size_t k = 0; k < timeline.rows.size(); ++k) {
    const TimelineRow& row = timeline.rows[k];
    const auto [found, is_new] =
        processes.try_emplace(row.device, static_cast<int>(processes.size()) + 1);
    const int process = found->second;
    if (is_new) events.add(metadata("process_name", process, 0, {{"name", row.device}}));
    events.add(metadata("thread_name", process, k + 1, {{"name", row.name}}));
    events.add(metadata("thread_sort_index", process, k + 1, {{"sort_index", k + 1}}));
    for (const RecordedSpan& span : row.spans) events.add(event_of(span, process, k + 1));
  }
  for (const RecordedValue& value : timeline.values) {
    events.add({{"ph", "C"},
                {"name", value.name},
                {"pid", 1},
                {"tid", 0},
                {"ts", microseconds(value.at)},
                {"args", {{"value", value.value}}}});
  }
  out << "\n]}\n";
}

}  // namespace accord
