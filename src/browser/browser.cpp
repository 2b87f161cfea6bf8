// SPDX-License-Identifier: Apache-2.0
// The functions that src/browser/worker.js calls: a run, and the files of its results. Files are in
// memory (MEMFS of Emscripten), so that inputs and outputs are those of the program. Each function
// returns a line of JSON, which stays valid until the next call.
#include <emscripten.h>
#include <emscripten/heap.h>
#include <emscripten/threading.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "app/outputs/run_outputs.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/families/family_reader.hpp"
#include "io/families/input_options.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "method/large/family_plan.hpp"
#include "method/settings.hpp"
#include "run/align_run.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"
#include "run/report/report.hpp"
#include "run/report/result_page.hpp"

// clang-format off
EM_JS(void, accord_show_progress, (const char* stage, double done), {
  showProgress(UTF8ToString(stage), done);
});
// clang-format on

namespace accord::browser {
namespace {

using nlohmann::ordered_json;

/// Shows the progress of a run on the page. Only the first thread is the worker that the page
/// knows.
class PageProgress : public ProgressListener {
 public:
  void begin(const std::string& stage, const std::string&, std::uint64_t,
             std::uint64_t work) override {
    stage_ = stage;
    all_ = static_cast<double>(work);
    done_ = 0;
    accord_show_progress(stage_.c_str(), 0);
  }
  void advance(std::uint64_t, std::uint64_t work) override {
    const auto done = static_cast<double>(done_ += work);
    if (all_ > 0 && emscripten_is_main_runtime_thread()) {
      accord_show_progress(stage_.c_str(), std::min(1.0, done / all_));
    }
  }

 private:
  std::string stage_;
  double all_ = 0;
  std::atomic<std::uint64_t> done_{0};
};

/// A run that has ended.
struct Run {
  CostMeter meter{usual_memory_budget()};
  RunDevices devices{DeviceRequest{}};
  PreparedFamily family;
  AlignResult result;
  DeviceUse use;
};

std::unique_ptr<Run> g_run;  // the last one

/// Alignments that are shown as they are.
struct View {
  std::string page;
  std::vector<AlignmentText> alignments;
};

std::unique_ptr<View> g_view;  // the last one, if it came after g_run

std::string option_words(const std::string& name, const std::string& value) {
  return "option " + name + (value.empty() ? "" : " " + value) + " of the program";
}

/// Text and hint of an error or a warning.
ordered_json message(const std::string& text, const std::string& hint) {
  return {{"text", text}, {"hint", with_option_words(hint, option_words)}};
}

ordered_json no_memory() {
  return message("the alignment needs more memory than the browser gives",
                 "use fewer or shorter sequences, or the program itself");
}

/// Calls `body`, which sets fields of its argument, and returns them, with the warnings, as a line
/// of JSON; after an error, with its message.
template <class Body>
const char* answer(const Body& body) {
  static std::string line;
  const WarningScope scope;
  ordered_json fields;
  try {
    body(fields);
  } catch (const Error& error) {
    fields["error"] = message(error.what(), error.hint());
  } catch (const std::bad_alloc&) {
    fields["error"] = no_memory();
  } catch (const std::length_error&) {  // of a container of 2 GiB or more
    fields["error"] = no_memory();
  } catch (const std::exception& error) {
    fields["error"] = message(error.what(), {});
  }
  fields["warnings"] = ordered_json::array();
  for (const Warning& warning : scope.warnings()) {
    fields["warnings"].push_back(message(warning.text, warning.hint));
  }
  line = fields.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return line.c_str();
}

/// Sets options of the table of the method and of that of the input: a line NAME=TEXT for each.
/// Throws  Error{usage} for a name that is in neither table; what reading an option throws.
void set_options(const std::string& lines, MethodOptions& method, FamilySource& source) {
  std::istringstream text(lines);
  for (std::string line; std::getline(text, line);) {
    const std::size_t end = line.find('=');
    const std::string name = line.substr(0, end);
    const std::string value = end == line.npos ? "" : line.substr(end + 1);
    if (const InputOption* const option = find_input_option(name)) {
      set_input_option(*option, value, name, source);
    } else {
      method.set(name, value, name);
    }
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// Frees the memory of earlier results, and takes all threads: one in a page without threads.
void begin() {
  g_run.reset();
  g_view.reset();
  set_thread_count(available_processors());
}

void align(const std::string& paths, const std::string& options, ordered_json& fields) {
  begin();
  auto run = std::make_unique<Run>();
  FamilySource source;
  source.files = lines_of(paths);
  source.takes_track = true;
  MethodOptions method;
  set_options(options, method, source);
  run->family = prepare_family(read_family(source, true, FamilyUse::alignment), method, true);
  PageProgress progress;
  run->result =
      run::align(run->family, {run->devices, usual_memory_budget(), {.progress = &progress}});
  run->use = run->devices.use();
  fields["sequences"] = run->family.set().size();
  fields["columns"] = run->result.msa.columns;
  fields["type"] = to_string(run->family.set().type());
  fields["memory"] = emscripten_get_heap_size();
  g_run = std::move(run);
}

/// The confidence of an alignment. No value if the family is large: accord does not compute all
/// pairs of such a family.
std::optional<Confidence> confidence_of(const AlignedFamily& aligned, const AlignSettings& settings,
                                        PageProgress& progress) {
  if (plan_family(aligned.set, settings).is_large()) return std::nullopt;
  RunDevices devices{DeviceRequest{}};
  return run::confidence(aligned, std::vector<bool>(aligned.columns(), true), settings,
                         {devices, usual_memory_budget(), {.progress = &progress}});
}

/// Makes the page of alignments as `accord view` does.
void view(const std::string& paths, const std::string& options, ordered_json& fields) {
  begin();
  FamilySource source;
  MethodOptions method;
  set_options(options, method, source);
  PageProgress progress;
  auto made = std::make_unique<View>();
  std::vector<std::string> data;
  for (const FileAlignment& one : alignments_of(lines_of(paths), source)) {
    const AlignedFamily aligned = aligned_in(one.text, one.label(), source);
    const AlignSettings settings = make_settings(method, aligned.set.type());
    const std::optional<Confidence> confidence = confidence_of(aligned, settings, progress);
    const Confidence* const sure = confidence ? &*confidence : nullptr;
    data.push_back(data_of(aligned, sure, settings, {.title = one.title()}, {}));
    made->alignments.push_back(text_of(aligned, {}, sure));
    fields["sequences"] = aligned.set.size();
    fields["columns"] = aligned.columns();
    fields["type"] = to_string(aligned.set.type());
  }
  made->page = page_of_data(data);
  fields["alignments"] = data.size();
  fields["memory"] = emscripten_get_heap_size();
  g_view = std::move(made);
}

/// Whether all files are alignments at first sight.
void inspect(const std::string& paths, ordered_json& fields) {
  const std::vector<std::string> files = lines_of(paths);
  fields["aligned"] = std::ranges::all_of(
      files, [](const std::string& file) { return looks_aligned(read_text(file), file); });
}

/// Writes the page of a view, or its alignment in a format.
/// Throws  Error{usage} for another kind, and for the format of several alignments.
void write_view(const std::string& kind, const std::string& path) {
  if (kind == "html") return write_output(path, g_view->page);
  const auto format = format_named(kind);
  if (!format) {
    throw Error(ErrorKind::usage, kind + ": not of an alignment that is shown as it is",
                "'Align' makes it");
  }
  if (g_view->alignments.size() != 1) {
    throw Error(ErrorKind::usage,
                "one file cannot have " + std::to_string(g_view->alignments.size()) + " alignments",
                "choose one file");
  }
  write_output(path, format_alignment(g_view->alignments.front(), *format));
}

/// Writes a result to a file. `kind`: a format of alignments, or "html", "report", "tree",
/// "confidence" or "name-map".
/// Throws  Error{usage} if there is no run or no such kind; as write_files.
void write(const std::string& kind, const std::string& path, bool tree_order) {
  if (g_view) return write_view(kind, path);
  if (!g_run) throw Error(ErrorKind::usage, "there is no alignment to write");
  RunFiles files;
  files.tree_order = tree_order;
  if (kind == "html") {
    files.html = path;
  } else if (kind == "report") {
    files.report = path;
  } else if (kind == "tree") {
    files.tree = path;
  } else if (kind == "confidence") {
    files.confidence = path;
  } else if (kind == "name-map") {
    files.name_map = path;
  } else if (const auto format = format_named(kind)) {
    files.alignments = {{path, *format}};
  } else {
    throw Error(ErrorKind::usage, kind + ": no result has this name");
  }
  write_files({g_run->family, g_run->result, g_run->use, g_run->meter}, files);
}

/// Every format that can be written, with the suffix of its files.
void list_formats(ordered_json& fields) {
  std::istringstream names(writable_formats());
  for (std::string name; names >> name;) {
    if (name.back() == ',') name.pop_back();
    const auto format = format_named(name);
    if (format) fields["formats"].push_back({{"name", name}, {"suffix", suffix_of(*format)}});
  }
}

}  // namespace
}  // namespace accord::browser

extern "C" {

/// Aligns the sequences of files, a line for each, as one family, with confidence; `options` has a
/// line NAME=TEXT for each option that is not the default. Sets "sequences", "columns", "type" and
/// "memory", in bytes.
EMSCRIPTEN_KEEPALIVE const char* accord_align(const char* paths, const char* options) {
  using namespace accord::browser;
  return answer([&](nlohmann::ordered_json& fields) { align(paths, options, fields); });
}

/// Shows the alignments of files as they are. Sets "alignments", their number, and the same as
/// accord_align(), of the last one.
EMSCRIPTEN_KEEPALIVE const char* accord_view(const char* paths, const char* options) {
  using namespace accord::browser;
  return answer([&](nlohmann::ordered_json& fields) { view(paths, options, fields); });
}

/// Sets "aligned": whether all files are alignments at first sight.
EMSCRIPTEN_KEEPALIVE const char* accord_inspect(const char* paths) {
  using namespace accord::browser;
  return answer([&](nlohmann::ordered_json& fields) { inspect(paths, fields); });
}

/// Writes a result of the last alignment or view to a file (see write()).
EMSCRIPTEN_KEEPALIVE const char* accord_write(const char* kind, const char* path, int tree_order) {
  using namespace accord::browser;
  return answer([&](nlohmann::ordered_json&) { write(kind, path, tree_order != 0); });
}

/// Sets "formats", a list with "name" and "suffix", and "version".
EMSCRIPTEN_KEEPALIVE const char* accord_about() {
  using namespace accord::browser;
  return answer([&](nlohmann::ordered_json& fields) {
    list_formats(fields);
    fields["version"] = ACCORD_VERSION;
  });
}
}
