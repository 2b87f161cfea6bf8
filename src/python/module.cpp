// SPDX-License-Identifier: Apache-2.0
// The extension module behind the Python package: what api.hpp has, with values that Python knows.
// Texts of users are bytes on this side, since names may hold any; the package makes str of them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <chrono>
#include <future>
#include <mutex>
#include <optional>
#include <tuple>

#include "accord/api/api.hpp"

namespace nb = nanobind;

namespace accord {
namespace {

using NamedLetters = std::vector<std::pair<nb::bytes, nb::bytes>>;

/// Thrown by the library's threads when the caller wants the call to end.
struct Stopped {};

const char* to_string(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::internal:
      return "internal";
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::bad_input:
      return "bad_input";
    case ErrorKind::no_input:
      return "no_input";
    case ErrorKind::device_unavailable:
      return "device_unavailable";
    case ErrorKind::device_failed:
      return "device_failed";
    case ErrorKind::cannot_create:
      return "cannot_create";
    case ErrorKind::write_failed:
      return "write_failed";
    case ErrorKind::closed_pipe:
      return "closed_pipe";
    case ErrorKind::out_of_memory:
      return "out_of_memory";
    case ErrorKind::batch_incomplete:
      return "batch_incomplete";
  }
  return "internal";
}

/// Raises what the package has for the error.
void translate(const std::exception_ptr& pointer, void*) {
  try {
    std::rethrow_exception(pointer);
  } catch (const Error& error) {
    const nb::object raised =
        nb::module_::import_("accord._errors")
            .attr("error_of")(to_string(error.kind()), nb::bytes(error.what()),
                              nb::bytes(error.hint().c_str()));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(raised.ptr())), raised.ptr());
  }
}

/// What the thread that computes and the thread of the caller tell each other.
class Watch {
 public:
  /// For the threads of the library.
  void note(const std::string& stage, double done) {
    if (stop_.load(std::memory_order_relaxed)) throw Stopped{};
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    done_ = done;
    is_news_ = true;
  }
  void stop() { stop_.store(true); }

  /// What was noted since the last call.
  std::optional<std::pair<std::string, double>> news() {
    const std::lock_guard lock(mutex_);
    if (!is_news_) return std::nullopt;
    is_news_ = false;
    return std::pair(stage_, done_);
  }

 private:
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::string stage_;
  double done_ = 0;
  bool is_news_ = false;
};

/// Whether Python has an exception to raise: a signal came, or the caller's function threw.
bool is_interrupted(Watch& watch, const nb::object& progress) {
  if (PyErr_CheckSignals() != 0) return true;
  if (progress.is_none()) return false;
  const auto news = watch.news();
  if (!news) return false;
  PyObject* const result =
      PyObject_CallFunction(progress.ptr(), "sd", news->first.c_str(), news->second);
  Py_XDECREF(result);
  return result == nullptr;
}

/// Calls `body` with the options in a thread of its own, without the interpreter's lock, while this
/// thread looks for signals and tells `progress` (None, or a function of stage and part). An
/// exception that comes from there ends the call.
template <class Body>
auto interruptible(api::Options options, const nb::object& progress, const Body& body) {
  constexpr std::chrono::milliseconds kEvery(50);
  Watch watch;
  options.progress = [&watch](const std::string& stage, double done) { watch.note(stage, done); };
  // Deferred, and then without a look at signals, where the system gives no thread.
  auto result =
      std::async(std::launch::async | std::launch::deferred, [&] { return body(options); });
  while (true) {
    bool is_ready = false;
    {
      const nb::gil_scoped_release others;
      is_ready = result.wait_for(kEvery) != std::future_status::timeout;
    }
    if (is_ready) return result.get();
    if (!is_interrupted(watch, progress)) continue;
    nb::python_error raised;
    watch.stop();
    {
      const nb::gil_scoped_release others;
      result.wait();
    }
    throw raised;
  }
}

std::vector<api::Sequence> sequences_of(const NamedLetters& records) {
  std::vector<api::Sequence> sequences;
  for (const auto& [name, letters] : records) {
    sequences.push_back({{name.c_str(), name.size()}, {letters.c_str(), letters.size()}});
  }
  return sequences;
}

api::Letters letters_named(const std::string& name) {
  if (name == "auto") return api::Letters::detect;
  if (name == "protein") return api::Letters::protein;
  if (name == "dna") return api::Letters::dna;
  if (name == "rna") return api::Letters::rna;
  throw Error(ErrorKind::usage, "type " + name + ": unknown word", "use auto, protein, dna or rna");
}

const char* to_string(api::Letters letters) {
  switch (letters) {
    case api::Letters::dna:
      return "dna";
    case api::Letters::rna:
      return "rna";
    case api::Letters::protein:
    case api::Letters::detect:
      break;
  }
  return "protein";
}

nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

/// An alignment and its letters side by side, so that Python can look at them without a copy.
struct Aligned {
  explicit Aligned(api::Alignment made) : alignment(std::move(made)) {
    for (const api::Sequence& row : alignment.rows) letters += row.letters;
  }
  std::size_t rows() const { return alignment.rows.size(); }
  std::size_t columns() const { return rows() == 0 ? 0 : alignment.rows[0].letters.size(); }

  api::Alignment alignment;
  std::string letters;  // row by row
};

template <class Value, std::size_t n>
using View = nb::ndarray<nb::numpy, const Value, nb::ndim<n>>;

/// A view of what `owner`, which holds it, keeps alive.
template <class Value, std::size_t n>
View<Value, n> view_of(const Value* data, const std::array<std::size_t, n>& shape,
                       nb::handle owner) {
  return View<Value, n>(data, n, shape.data(), owner);
}

void declare_options(nb::module_& m) {
  nb::class_<api::Options>(m, "Options", "How sequences are aligned.")
      .def(nb::new_([](const std::string& type, const std::string& mode, const std::string& tree,
                       const std::string& device, int threads, bool confidence,
                       const std::string& large, const nb::bytes& parameters, std::size_t memory) {
             api::Options options;
             options.letters = letters_named(type);
             options.mode = mode;
             options.tree = tree;
             options.device = device;
             options.threads = threads;
             options.confidence = confidence;
             options.large = large;
             options.parameters = {parameters.c_str(), parameters.size()};
             options.memory = memory;
             return options;
           }),
           nb::arg("type"), nb::arg("mode"), nb::arg("tree"), nb::arg("device"), nb::arg("threads"),
           nb::arg("confidence"), nb::arg("large"), nb::arg("parameters"), nb::arg("memory"));
}

void declare_alignment(nb::module_& m) {
  nb::class_<Aligned>(m, "Aligned", "An alignment as the library made it.")
      .def_prop_ro("type", [](const Aligned& a) { return to_string(a.alignment.letters); })
      .def_prop_ro("names",
                   [](const Aligned& a) {
                     std::vector<nb::bytes> names;
                     for (const auto& row : a.alignment.rows) names.push_back(bytes_of(row.name));
                     return names;
                   })
      .def_prop_ro("letters",
                   [](nb::handle_t<Aligned> self) {
                     const auto& a = nb::cast<const Aligned&>(self);
                     return view_of<std::uint8_t, 2>(
                         reinterpret_cast<const std::uint8_t*>(a.letters.data()),
                         {a.rows(), a.columns()}, self);
                   })
      .def_prop_ro("column_confidence",
                   [](nb::handle_t<Aligned> self) {
                     const auto& values =
                         nb::cast<const Aligned&>(self).alignment.column_confidence;
                     return view_of<float, 1>(values.data(), {values.size()}, self);
                   })
      .def_prop_ro("residue_confidence",
                   [](nb::handle_t<Aligned> self) {
                     const auto& a = nb::cast<const Aligned&>(self);
                     const auto& values = a.alignment.residue_confidence;
                     return view_of<float, 2>(values.data(),
                                              {values.empty() ? 0 : a.rows(), a.columns()}, self);
                   })
      .def_prop_ro("mean_confidence", [](const Aligned& a) { return a.alignment.mean_confidence; })
      .def_prop_ro("tree", [](const Aligned& a) { return bytes_of(a.alignment.tree); })
      .def_prop_ro("report", [](const Aligned& a) { return bytes_of(a.alignment.report); })
      .def_prop_ro("warnings",
                   [](const Aligned& a) {
                     std::vector<std::pair<nb::bytes, nb::bytes>> warnings;
                     for (const api::Notice& notice : a.alignment.warnings) {
                       warnings.emplace_back(bytes_of(notice.text), bytes_of(notice.hint));
                     }
                     return warnings;
                   })
      .def(
          "format",
          [](const Aligned& a, const std::string& format) {
            return bytes_of(api::format(a.alignment, format));
          },
          nb::arg("format"));
}

}  // namespace
}  // namespace accord

NB_MODULE(_accord, m) {
  using namespace accord;
  nb::register_exception_translator(translate);
  declare_options(m);
  declare_alignment(m);
  m.def("version", &api::version);
  m.def(
      "align",
      [](const NamedLetters& records, const api::Options& options, const nb::object& progress) {
        const std::vector<api::Sequence> sequences = sequences_of(records);
        return Aligned(interruptible(options, progress, [&](const api::Options& with) {
          return api::align(sequences, with);
        }));
      },
      nb::arg("records"), nb::arg("options"), nb::arg("progress").none());
  m.def(
      "align_file",
      [](const nb::bytes& path, const api::Options& options, const nb::object& progress) {
        const std::vector<std::string> files = {{path.c_str(), path.size()}};
        return Aligned(interruptible(options, progress, [&](const api::Options& with) {
          return api::align_files(files, with);
        }));
      },
      nb::arg("path"), nb::arg("options"), nb::arg("progress").none());
  m.def(
      "tree",
      [](const NamedLetters& records, const api::Options& options, const nb::object& progress) {
        const std::vector<api::Sequence> sequences = sequences_of(records);
        return bytes_of(interruptible(options, progress, [&](const api::Options& with) {
          return api::tree(sequences, with);
        }));
      },
      nb::arg("records"), nb::arg("options"), nb::arg("progress").none());
  m.def(
      "posteriors",
      [](const std::string& x, const std::string& y, const api::Options& options,
         const nb::object& progress) {
        std::vector<std::uint32_t> i, j;
        std::vector<float> probability;
        for (const api::PosteriorCell& cell :
             interruptible(options, progress,
                           [&](const api::Options& with) { return api::posteriors(x, y, with); })) {
          i.push_back(cell.i);
          j.push_back(cell.j);
          probability.push_back(cell.probability);
        }
        return std::tuple(std::move(i), std::move(j), std::move(probability));
      },
      nb::arg("x"), nb::arg("y"), nb::arg("options"), nb::arg("progress").none());
  m.def(
      "score",
      [](const NamedLetters& alignment, const NamedLetters& reference) {
        const api::Score score = api::score(sequences_of(alignment), sequences_of(reference));
        return std::pair(score.sum_of_pairs, score.total_column);
      },
      nb::arg("alignment"), nb::arg("reference"));
}
