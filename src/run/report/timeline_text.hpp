// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "base/timeline.hpp"
#include "io/files/text_sink.hpp"

namespace accord {

/// Writes a timeline in the Trace Event Format, JSON that Perfetto and chrome://tracing open: a
/// line for each event. The program and each device are a process of it. A complete event ("X") is
/// a span: `ts` and `dur` are its begin and its length, `tts` and `tdur` those by the CPU time of
/// its thread, all in microseconds. A counter ("C") is a value that changed.
void write_timeline(const Timeline& timeline, TextSink& out);

}  // namespace accord
