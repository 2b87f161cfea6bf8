// SPDX-License-Identifier: Apache-2.0
#include "app/cli/failure_report.hpp"

#include <mutex>
#include <optional>
#include <utility>

#include "app/cli/timeline_file.hpp"
#include "io/files/output_file.hpp"
#include "run/report/report.hpp"

namespace accord {
namespace {

struct Expected {
  std::string path;
  FailedRun run;
  CostMeter meter;
};

std::mutex g_report_mutex;

struct FailureCodes {
  int usage, other;
};
std::optional<FailureCodes> g_codes;

/// Never destroyed, since a signal may come while the process ends.
std::optional<Expected>& expected() {
  static auto* const report = new std::optional<Expected>;
  return *report;
}

}  // namespace

void set_failure_codes(int usage, int other) { g_codes = FailureCodes{usage, other}; }

int failure_code(ErrorKind kind) {
  if (!g_codes) return exit_code(kind);
  return kind == ErrorKind::usage ? g_codes->usage : g_codes->other;
}

void report_failure_to(const ExpectedReport& report, const RunOptions& options) {
  const std::lock_guard lock(g_report_mutex);
  expected().reset();
  if (report.path.empty()) return;
  expected() = Expected{report.path,
                        {.command = report.command, .inputs = options.input.files},
                        CostMeter(memory_budget(options.compute))};
}

void keep_report() {
  const std::lock_guard lock(g_report_mutex);
  expected().reset();
}

void write_failure_report(const Failure& failure) noexcept {
  write_timeline_of_failure(failure.ends_at_once);
  try {
    std::optional<Expected> report;
    {
      const std::lock_guard lock(g_report_mutex);
      report = std::exchange(expected(), std::nullopt);
    }
    if (!report) return;
    if (failure.ends_at_once && may_wait_for_reader(report->path)) return;
    FailedRun& run = report->run;
    run.exit_code = failure.exit_code;
    run.error = failure.text;
    run.hint = failure.hint;
    run.signal = failure.signal;
    std::string text = format_failure_report(run, report->meter.cost());
    if (failure.ends_at_once) {
      write_output_in_place(report->path, std::move(text));
    } else {
      write_output(report->path, std::move(text));
    }
  } catch (...) {  // the error that ends the run was printed, and says more
  }
}

}  // namespace accord
