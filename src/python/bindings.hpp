// SPDX-License-Identifier: Apache-2.0
// Functions and types that the parts of the extension module share.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accord/api/api.hpp"

namespace accord::python {

namespace nb = nanobind;

using NamedLetters = std::vector<std::pair<nb::bytes, nb::bytes>>;

/// Thrown by the library's threads when the caller wants the call to end.
struct Stopped {};

/// Passes progress from the thread that computes to the caller's, and a request to stop back.
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

  /// The stage and the share done, if they changed since the last call.
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
inline bool is_interrupted(Watch& watch, const nb::object& progress) {
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

inline std::vector<api::Sequence> sequences_of(const NamedLetters& records) {
  std::vector<api::Sequence> sequences;
  for (const auto& [name, letters] : records) {
    sequences.push_back({{name.c_str(), name.size()}, {letters.c_str(), letters.size()}});
  }
  return sequences;
}

inline nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

inline std::string text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

/// Texts and hints, for the package to warn of.
inline std::vector<std::pair<nb::bytes, nb::bytes>> bytes_of(
    const std::vector<api::Notice>& notices) {
  std::vector<std::pair<nb::bytes, nb::bytes>> warnings;
  for (const api::Notice& notice : notices) {
    warnings.emplace_back(bytes_of(notice.text), bytes_of(notice.hint));
  }
  return warnings;
}

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

/// Functions of given alignments.
void declare_given(nb::module_& m);

/// Alternative alignments of one family.
void declare_ensemble(nb::module_& m);

}  // namespace accord::python
