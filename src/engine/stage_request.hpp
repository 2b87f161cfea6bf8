// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <span>

#include "accord/base/error.hpp"
#include "engine/stage.hpp"

namespace accord {

class StageRequest;

/// Whether an error may be the fault of the backend that threw it, so that another backend, or a
/// smaller batch, may succeed.
bool is_device_fault(const Error& error);

/// How the work of a stage is divided among backends of unknown speed.
/// Units   work in any unit of the stage, such as cells; rates in work a second.
struct SharePolicy {
  double most_first_batch_work = 0;  ///< most work of the first batch of a backend
  double shortest_seconds = 0;       ///< shortest time of a batch, by the rate of the backend
  double longest_seconds = 0;        ///< longest time of a batch, by the rate of the backend
  /// Whether batches that a backend computes at the same time may be parts of one request. If not,
  /// several requests keep it busy.
  bool is_divided = true;
  std::size_t most_items = SIZE_MAX;  ///< most items of a batch, so that plans of it stay small
};

/// The limits of a stage on a backend that computes it.
struct StageLimits {
  /// A number of pairs: a batch of fewer pairs takes as long as a batch of this number.
  std::uint32_t at_once = 1;
};

/// The items [first, last) of a request.
struct ItemRange {
  StageRequest* request = nullptr;
  std::size_t first = 0, last = 0;
};

/// The work of one family in one stage. The work consists of numbered items. The queue cuts a
/// request into batches of whole items, and a batch may have items of several requests.
class StageRequest {
 public:
  StageRequest() = default;
  StageRequest(const StageRequest&) = delete;
  StageRequest& operator=(const StageRequest&) = delete;
  virtual ~StageRequest() = default;

  virtual const Stage& stage() const = 0;
  /// How the work of the stage is divided.
  virtual const SharePolicy& policy() const = 0;

  /// The number of items. The queue calls it once; an exception from it becomes the error of the
  /// request.
  virtual std::size_t items() = 0;
  /// The work of an item, in the unit of the stage; the items with most work come first.
  virtual double work(std::size_t item) const = 0;
  /// The number of pairs of an item, which are computed side by side; 0 if small batches are as
  /// fast as large ones.
  virtual std::uint32_t pairs(std::size_t) const { return 0; }
  /// The work of all items; `items` is their number.
  /// Cost    a call of work() for each item, if it is not known in closed form.
  virtual double all_work(std::size_t items) const;

  /// Whether run() can compute items of `other` along with items of this one.
  virtual bool shares_batch_with(const StageRequest& other) const { return this == &other; }

  /// Computes a batch on a backend and keeps the results. `items` has items of this request and of
  /// others that share the batch; each request must get the results of its items. Threads may call
  /// run() at the same time, for different items. After an Error, the queue may call it again for
  /// the same items. The backend plans with one of `memory_parts` equal parts of its memory.
  virtual void run(Backend& backend, std::uint32_t memory_parts,
                   std::span<const ItemRange> items) = 0;

  /// Abandons the request: its remaining items are not computed. Keeps the error of the first call.
  /// Any thread may call it.
  void fail(std::exception_ptr error);
  bool failed() const { return failed_.load(); }
  /// Whether a fault of a device abandons the request, with the fault as its error. The caller can
  /// then make smaller requests. Otherwise the queue tries the items again, in halves or on another
  /// backend.
  virtual bool ends_with_fault() const { return false; }
  /// The error of an abandoned request; null if the request is not abandoned.
  std::exception_ptr error() const;

 private:
  std::atomic<bool> failed_{false};
  mutable std::mutex error_mutex_;
  std::exception_ptr error_;
};

/// Receives the result of a stage for the pair (x, y), x < y. Several threads call the sink at the
/// same time, each for another pair.
///
/// A backend calls the sink once for each pair. After an Error all pairs are computed again,
/// although the sink may have got some of them. The later result of a pair then replaces the
/// earlier one, never at the same time. So a sink assigns; it must not add up or count.
template <class Result>
using PairSink = std::function<void(std::uint32_t x, std::uint32_t y, Result result)>;

}  // namespace accord
