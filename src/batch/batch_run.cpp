// SPDX-License-Identifier: Apache-2.0
#include "accord/batch/batch_run.hpp"

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "accord/base/core_pool.hpp"
#include "accord/base/error.hpp"
#include "accord/base/log.hpp"
#include "accord/base/timer.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/core/text_hash.hpp"
#include "accord/io/formats.hpp"
#include "accord/io/output_file.hpp"
#include "accord/io/sequence_reader.hpp"
#include "accord/io/sha256.hpp"
#include "accord/io/text_input.hpp"
#include "accord/method/estimate.hpp"

namespace accord {
namespace {

namespace fs = std::filesystem;

/// Memory that families take before they start, first come first served. One whose worst case alone
/// needs more than there is gets everything, and is alone.
class MemoryGate {
 public:
  explicit MemoryGate(std::size_t bytes) : all_(bytes) {}

  class Pass {
   public:
    Pass(MemoryGate& gate, std::size_t bytes) : gate_(gate), bytes_(std::min(bytes, gate.all_)) {
      std::unique_lock lock(gate_.mutex_);
      const std::size_t ticket = gate_.next_ticket_++;
      gate_.changed_.wait(
          lock, [&] { return ticket == gate_.served_ && gate_.used_ + bytes_ <= gate_.all_; });
      ++gate_.served_;
      gate_.used_ += bytes_;
      gate_.changed_.notify_all();
    }
    ~Pass() {
      const std::lock_guard lock(gate_.mutex_);
      gate_.used_ -= bytes_;
      gate_.changed_.notify_all();
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    MemoryGate& gate_;
    std::size_t bytes_;
  };

 private:
  const std::size_t all_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t used_ = 0, next_ticket_ = 0, served_ = 0;
};

/// An error that the next family would meet as well.
bool concerns_all(ErrorKind kind) {
  return kind == ErrorKind::cannot_create || kind == ErrorKind::write_failed ||
         kind == ErrorKind::usage || kind == ErrorKind::internal;
}

/// All that decides what is written for a family, beside its sequences.
std::string parameters_text(const BatchOptions& options) {
  const MethodOptions& method = options.method;
  const auto number = [](const std::optional<int>& value) {
    return value ? std::to_string(*value) : std::string("default");
  };
  return "accord " ACCORD_VERSION " mode " + method.mode + " tree " +
         std::to_string(static_cast<int>(method.tree)) + " consistency " +
         number(method.consistency) + " intermediates " + number(method.intermediates) +
         " refine " + number(method.refine) + " type " +
         (options.input.type ? std::string(to_string(*options.input.type)) : "auto") +
         (options.input.reading.lenient ? " lenient" : "") +
         (options.input.reading.refuse_gaps ? " without gaps" : "") + " format " +
         std::string(name_of(options.format));
}

/// Makes the folder of an output, and checks that it can be written before work is put into it.
void prepare_output(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) {
    throw Error(ErrorKind::cannot_create,
                "cannot create the folder of " + path + ": " + error.message());
  }
  check_output_writable(path);
}

class BatchRun {
 public:
  BatchRun(const std::vector<BatchFamily>& families, const BatchOptions& options,
           const BatchLimits& limits, Scheduler& scheduler, BatchRecord& record,
           ProgressListener& progress)
      : families_(families),
        options_(options),
        limits_(limits),
        scheduler_(scheduler),
        record_(record),
        progress_(progress),
        parameters_(text_hash(parameters_text(options))),
        cores_(limits.cores),
        memory_(limits.memory_bytes),
        outcomes_(families.size()) {
    for (const BatchFamily& family : families) open_work_ += expected_work(family);
    progress_.begin("batch", "families", families.size(), static_cast<std::uint64_t>(open_work_));
  }

  std::vector<FamilyOutcome> run() {
    const auto count =
        std::min<std::size_t>(static_cast<std::size_t>(limits_.in_flight), families_.size());
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < count; ++k) threads.emplace_back([this] { work(); });
    for (std::thread& thread : threads) thread.join();
    return std::move(outcomes_);
  }

 private:
  void work() {
    while (true) {
      std::size_t k = 0;
      {
        const std::lock_guard lock(mutex_);
        if (stopped_ || next_ == families_.size()) return;
        k = next_++;
      }
      do_family(families_[k], outcomes_[k]);
      progress_.advance(1, static_cast<std::uint64_t>(expected_work(families_[k])));
      const std::lock_guard lock(mutex_);
      open_work_ -= expected_work(families_[k]);
    }
  }

  void do_family(const BatchFamily& family, FamilyOutcome& outcome) {
    try {
      align(family, outcome);
    } catch (const Error& error) {
      note_failure(family, outcome, error);
    } catch (const std::bad_alloc&) {
      note_failure(family, outcome,
                   Error(ErrorKind::out_of_memory, "OutOfMemory: the system has no memory left"));
    } catch (const std::exception& error) {
      note_failure(family, outcome, Error(ErrorKind::internal, error.what()));
    }
  }

  void align(const BatchFamily& family, FamilyOutcome& outcome) {
    std::string bytes = read_bytes(family.input);
    if (!options_.report.empty()) outcome.input_sha256 = sha256(bytes);
    const std::string text = unpacked(std::move(bytes), input_label(family.input));
    const AlignmentSources sources{text_hash(text), parameters_};
    if (options_.resume && record_.is_complete(family, sources)) {
      outcome.status = FamilyStatus::complete;
      return;
    }
    prepare_output(family.output);
    const SequenceSet set = make_family(sequences_of(text, family.input, options_.input.reading),
                                        options_.input, family.input);
    outcome.sequences = set.size();
    AlignSettings settings = make_settings(options_.method, set.type());
    settings.confidence = shows_confidence(options_.format);
    check_memory(set, settings, wanted_cores(family), limits_.budget);
    const MemoryGate::Pass memory(
        memory_, family_memory(workload_of(set), worst_case(), settings, wanted_cores(family)));
    const CorePool::Share cores(cores_, [&] { return wanted_cores(family); });
    const Timer timer;
    const AlignResult result = align_family(set, settings, scheduler_);
    const std::string alignment = format_alignment(
        make_alignment_text(set, result.msa, result.confidence ? &*result.confidence : nullptr, {}),
        options_.format);
    const Output output = make_output(family.output, alignment);
    if (!options_.report.empty()) outcome.output_sha256 = sha256(output.bytes);
    write_outputs({output});
    record_.add(family, sources, alignment);
    outcome.columns = result.msa.columns;
    outcome.seconds = timer.seconds();
    outcome.status = FamilyStatus::aligned;
    log_verbose("aligned      " + family.id + ": " + std::to_string(set.size()) + " sequences, " +
                std::to_string(outcome.columns) + " columns");
  }

  int wanted_cores(const BatchFamily& family) {
    const std::lock_guard lock(mutex_);
    return cores_for(expected_work(family), open_work_, limits_.cores);
  }

  void note_failure(const BatchFamily& family, FamilyOutcome& outcome, const Error& error) {
    outcome.status = FamilyStatus::failed;
    outcome.error = error.what();
    log_warning("family " + family.id + " failed: " + error.what(), error.hint());
    if (options_.keep_going || !concerns_all(error.kind())) return;
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }

  const std::vector<BatchFamily>& families_;
  const BatchOptions& options_;
  const BatchLimits& limits_;
  Scheduler& scheduler_;
  BatchRecord& record_;
  ProgressListener& progress_;
  const std::string parameters_;
  CorePool cores_;
  MemoryGate memory_;
  std::vector<FamilyOutcome> outcomes_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  double open_work_ = 0;  // of the families that are not done
  bool stopped_ = false;
};

}  // namespace

const char* to_string(FamilyStatus status) {
  switch (status) {
    case FamilyStatus::aligned:
      return "aligned";
    case FamilyStatus::complete:
      return "complete";
    case FamilyStatus::failed:
      return "failed";
    case FamilyStatus::not_started:
      return "not started";
  }
  return "";
}

std::vector<FamilyOutcome> run_batch(const std::vector<BatchFamily>& families,
                                     const BatchOptions& options, const BatchLimits& limits,
                                     Scheduler& scheduler, BatchRecord& record,
                                     ProgressListener& progress) {
  return BatchRun(families, options, limits, scheduler, record, progress).run();
}

}  // namespace accord
