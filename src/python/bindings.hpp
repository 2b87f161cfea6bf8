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

/// Sequences or rows as Python passes them: the name and the letters of each.
using NamedLetters = std::vector<std::pair<nb::bytes, nb::bytes>>;

/// Thrown by the library's threads when the caller wants the call to end.
struct Stopped {};

/// Passes progress from the thread that computes to the thread of the caller, and passes a request
/// to stop the other way.
class Watch {
 public:
  /// The library calls this with its progress; `done` is the share of the stage, in [0, 1].
  /// Throws  Stopped after stop().
  void note(const std::string& stage, double done) {
    if (stop_.load(std::memory_order_relaxed)) throw Stopped{};
    const std::lock_guard lock(mutex_);
    stage_ = stage;
    done_ = done;
    is_news_ = true;
  }
  /// Makes the next note() throw.
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

/// Passes the news of `watch` to the Python function `progress`, if it is not None. The caller
/// holds the interpreter's lock.
/// Returns  whether Python now has an exception to raise: a signal came, or `progress` threw.
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

/// Calls body(options) in another thread, without the interpreter's lock, which the caller holds.
/// The function sets options.progress. Meanwhile this thread looks for signals and calls `progress`
/// (None, or a function of the stage and the share done). An exception from a signal or from
/// `progress` stops `body` and is thrown here.
/// Returns  the result of `body`.
/// Throws  nb::python_error for such an exception; what `body` throws.
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

/// The records as sequences of the C++ interface, in their order.
inline std::vector<api::Sequence> sequences_of(const NamedLetters& records) {
  std::vector<api::Sequence> sequences;
  for (const auto& [name, letters] : records) {
    sequences.push_back({{name.c_str(), name.size()}, {letters.c_str(), letters.size()}});
  }
  return sequences;
}

inline nb::bytes bytes_of(const std::string& text) { return nb::bytes(text.data(), text.size()); }

inline std::string text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

/// The texts and the hints of notices, which the Python package shows as warnings.
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
  /// Takes an alignment, and joins the letters of its rows.
  explicit Aligned(api::Alignment made) : alignment(std::move(made)) {
    for (const api::Sequence& row : alignment.rows) letters += row.letters;
  }
  std::size_t rows() const { return alignment.rows.size(); }
  std::size_t columns() const { return rows() == 0 ? 0 : alignment.rows[0].letters.size(); }

  api::Alignment alignment;
  std::string letters;  // row by row
};

/// A read-only NumPy array of n dimensions.
template <class Value, std::size_t n>
using View = nb::ndarray<nb::numpy, const Value, nb::ndim<n>>;

/// Makes a NumPy array of the values at `data`, without a copy. The Python object `owner` holds the
/// values; the array keeps `owner` alive.
template <class Value, std::size_t n>
View<Value, n> view_of(const Value* data, const std::array<std::size_t, n>& shape,
                       nb::handle owner) {
  return View<Value, n>(data, n, shape.data(), owner);
}

/// Adds the functions of accord/api/given.hpp to the module.
void declare_given(nb::module_& m);

/// Alternative alignments of one family.
void declare_ensemble(nb::module_& m);

}  // namespace accord::python
