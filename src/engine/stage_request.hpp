// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>

namespace accord {

class Backend;
class StageRequest;

/// The stages that backends compute, in the order in which a family goes through them.
enum class BackendStage { posteriors, join, relax, likelihood, local_fit, local_pairs };
/// Their names, in that order.
inline constexpr std::array kStageNames{"posteriors",  "the guide tree", "consistency",
                                        "likelihoods", "local fits",     "local alignments"};

/// How the work of a stage is shared out among backends of unknown speed.
/// Units   work in any unit of the stage, such as cells; rates in work a second.
struct SharePolicy {
  double first_work = 0;        ///< most work of the first batch of a backend
  double shortest_seconds = 0;  ///< batches are not made shorter than this
  double longest_seconds = 0;   ///< nor longer, as far as the backend's rate tells
  /// Whether the batches that a backend computes at the same time get parts of one request. If not,
  /// several requests keep it busy.
  bool is_divided = true;
  std::size_t most_items = SIZE_MAX;  ///< of a batch, so that plans of its tasks stay small
};

/// What a backend says of a stage that it computes.
struct StageLimits {
  std::uint32_t at_once = 1;  ///< pairs of a batch below which fewer take no less time
};

/// The items [first, last) of a request.
struct ItemRange {
  StageRequest* request = nullptr;
  std::size_t first = 0, last = 0;
};

/// Work of one family in one stage. It can be cut between its items, which are numbers: an item
/// costs nothing but what the request itself keeps of it. Several requests may share a batch.
class StageRequest {
 public:
  StageRequest() = default;
  StageRequest(const StageRequest&) = delete;
  StageRequest& operator=(const StageRequest&) = delete;
  virtual ~StageRequest() = default;

  virtual BackendStage stage() const = 0;
  /// How the work of its stage is shared out.
  virtual const SharePolicy& policy() const = 0;

  /// The number of items. Asked once; what it throws is the error of the request.
  virtual std::size_t items() = 0;
  /// Work of an item, in the unit of the stage; those with most work come first.
  virtual double work(std::size_t item) const = 0;
  /// Pairs of an item that are computed side by side; 0 if a batch need not be filled.
  virtual std::uint32_t pairs(std::size_t) const { return 0; }
  /// Work of all of its `items` items.
  /// Cost    a call of work() for each item, if it is not known in closed form.
  virtual double all_work(std::size_t items) const;

  /// Whether run() can compute items of `other` along with items of this one.
  virtual bool shares_batch_with(const StageRequest& other) const { return this == &other; }

  /// Computes items of this request, and of others that share the batch, and keeps the results.
  /// May be called again for the same items after an Error. The backend is to plan with one of
  /// `memory_parts` parts of its memory.
  virtual void run(Backend& backend, std::uint32_t memory_parts,
                   std::span<const ItemRange> items) = 0;

  /// Gives the request up: what waits of it is not computed any more. Keeps the first error.
  void fail(std::exception_ptr error);
  bool failed() const { return failed_.load(); }
  /// Whether a fault of a device gives the request up, instead of moving its items: who made it has
  /// another way to compute it, whose items are smaller.
  virtual bool gives_way() const { return false; }
  /// Gives it up so, with the fault as its error.
  void give_way(std::exception_ptr fault);
  bool gave_way() const { return gave_way_.load(); }
  /// The error, if the request was given up.
  std::exception_ptr error() const;

 private:
  std::atomic<bool> failed_{false}, gave_way_{false};
  mutable std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace accord
