// SPDX-License-Identifier: Apache-2.0
#include "run/batch/batch_run.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "accord/base/error.hpp"
#include "base/cpu_budget.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "base/text_hash.hpp"
#include "base/thread_group.hpp"
#include "base/timeline.hpp"
#include "base/timer.hpp"
#include "io/families/input_options.hpp"
#include "io/families/track_writer.hpp"
#include "io/files/packing.hpp"
#include "io/files/reading_memory.hpp"
#include "io/files/sha256.hpp"
#include "io/files/text_input.hpp"
#include "method/large/large_family.hpp"
#include "run/batch/batch_tracks.hpp"
#include "run/batch/memory_gate.hpp"
#include "run/estimate/estimate.hpp"
#include "run/estimate/output_size.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {
namespace {

/// Divides the work of a family among the stages of its alignment, so that the progress of a batch
/// also grows within a family. Each stage gets half of the remaining work, since its part of the
/// time is not known in advance.
class FamilyProgress : public ProgressListener {
 public:
  FamilyProgress(ProgressListener& batch, std::uint64_t work) : batch_(batch), left_(work) {}

  void begin(const std::string&, const std::string&, std::uint64_t, std::uint64_t work) override {
    const std::lock_guard lock(mutex_);
    stage_share_ = left_ / 2;
    stage_reported_ = stage_done_ = 0;
    stage_work_ = work;
  }
  void advance(std::uint64_t, std::uint64_t work) override {
    const std::lock_guard lock(mutex_);
    stage_done_ = std::min(stage_done_ + work, stage_work_);
    if (stage_work_ == 0) return;
    const double part = static_cast<double>(stage_done_) / static_cast<double>(stage_work_);
    const auto reported = static_cast<std::uint64_t>(part * static_cast<double>(stage_share_));
    const std::uint64_t more = reported - std::min(reported, stage_reported_);
    if (more == 0) return;
    stage_reported_ = reported;
    left_ -= more;
    batch_.advance(0, more);
  }
  /// Reports the rest of the work: the family is done, or has failed.
  void end() {
    const std::lock_guard lock(mutex_);
    batch_.advance(1, left_);
    left_ = 0;
  }

 private:
  ProgressListener& batch_;
  std::mutex mutex_;
  std::uint64_t left_, stage_share_ = 0, stage_reported_ = 0, stage_done_ = 0, stage_work_ = 0;
};

/// Whether an error of this kind would occur with the next family, too.
bool concerns_all(ErrorKind kind) {
  return kind == ErrorKind::cannot_create || kind == ErrorKind::write_failed ||
         kind == ErrorKind::usage || kind == ErrorKind::internal;
}

/// Calls `prepare`, which applies the options to one family. An error of usage becomes an error of
/// the input: the options may fit other families, so that only this family fails.
template <class Prepare>
auto with_errors_of_family(const Prepare& prepare) {
  try {
    return prepare();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    throw Error(ErrorKind::bad_input, error.what(), error.hint());
  }
}

/// The SHA-256 of the input. Of several inputs, the SHA-256 of a text with the checksum of each
/// input in a line. Empty if the inputs have no checksums.
std::string checksum_of(const std::vector<InputText>& inputs) {
  if (inputs.size() == 1 || inputs.front().digest.sha256.empty()) {
    return inputs.front().digest.sha256;
  }
  std::string lines;
  for (const InputText& input : inputs) lines += input.digest.sha256 + "\n";
  return sha256(lines);
}

/// The reported settings of the tracks of a family; none without tracks.
std::vector<std::pair<std::string, std::string>> track_settings(const FamilySource& source) {
  std::vector<std::pair<std::string, std::string>> settings;
  if (!source.track.has_tracks()) return settings;
  for (const InputOption& option : input_options()) {
    if (option.group != InputGroup::track || !option.reported) continue;
    settings.emplace_back(option.reported->name,
                          std::get<std::string>(option.reported->value(source)));
  }
  return settings;
}

/// Everything besides the sequences that determines the output of a family. If the user gives no
/// residue type, the type is known only after reading, so that the text has the settings of every
/// type.
std::string parameters_text(const BatchSettings& settings) {
  nlohmann::ordered_json text = {ACCORD_VERSION, format_name(settings.format),
                                 settings.beside_name};
  for (const ResidueType type : {ResidueType::protein, ResidueType::dna, ResidueType::rna}) {
    if (settings.source.type.value_or(type) != type) continue;
    try {
      visit_settings(settings.source, make_settings(settings.method, type), type,
                     [&](const char* name, const auto& value) {
                       text.push_back({name, value});
                     });
    } catch (const Error& error) {  // such as a matrix of proteins: families of this type will fail
      text.push_back(error.what());
    }
  }
  return text.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The most memory that reading a family is likely to take, in bytes.
std::size_t most_reading(const BatchFamily& family) {
  constexpr std::uint64_t kCopies = 6;     // of a text, as records and as a family
  constexpr std::uint64_t kPacked = 1000;  // gzip packs no better
  const bool is_packed = packing_of_suffix(family.input) != Packing::none;
  return static_cast<std::size_t>(
      std::min<std::uint64_t>(family.bytes * (is_packed ? kPacked : kCopies), SIZE_MAX));
}

class BatchRun {
 public:
  BatchRun(const std::vector<BatchFamily>& families, const BatchSettings& settings,
           const BatchLimits& limits, Scheduler& scheduler, BatchRecord& record,
           ProgressListener& progress)
      : families_(families),
        settings_(settings),
        limits_(limits),
        scheduler_(scheduler),
        record_(record),
        progress_(progress),
        parameters_(text_hash(parameters_text(settings))),
        cpus_(scheduler.cpus()),
        memory_(limits.memory_bytes, "bytes of families"),
        outcomes_(families.size()),
        open_work_(expected_work(families)) {
    progress_.expect({{"batch", 1, true}});
    progress_.begin("batch", "families", families.size(), static_cast<std::uint64_t>(open_work_));
  }

  std::vector<FamilyOutcome> run() {
    const auto count =
        std::min<std::size_t>(static_cast<std::size_t>(limits_.in_flight), families_.size());
    // If the system gives fewer threads, fewer families are in flight; at last this thread aligns
    // them alone.
    for (std::size_t threads = count; !start_work(threads); threads /= 2) {
    }
    return std::move(outcomes_);
  }

 private:
  /// Aligns all families on a number of threads; if the number is 1, on this thread. Returns false
  /// if the system does not give the threads, and warns the first time.
  bool start_work(std::size_t threads) {
    if (threads <= 1) {
      work();
      return true;
    }
    ThreadGroup group;
    try {
      group.start(threads, [this](std::size_t) {
        name_thread("families");
        work();
      });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::out_of_memory) throw;
      if (!std::exchange(is_warned_, true)) {
        log_warning(std::string(error.what()) + "; fewer families are aligned at the same time",
                    error.hint());
      }
      return false;
    }
    group.join();
    return true;
  }

  void work() {
    while (true) {
      std::size_t k = 0;
      {
        const std::lock_guard lock(mutex_);
        if (stopped_ || next_ == families_.size()) return;
        k = next_++;
      }
      FamilyProgress progress(progress_, static_cast<std::uint64_t>(expected_work(families_[k])));
      do_family(families_[k], outcomes_[k], progress);
      progress.end();
      const std::lock_guard lock(mutex_);
      open_work_ -= expected_work(families_[k]);
    }
  }

  void do_family(const BatchFamily& family, FamilyOutcome& outcome, FamilyProgress& progress) {
    const TimelineFamily of_family(family.id);
    TimelineSpan span(SpanKind::family, family.id);
    try {
      align(family, outcome, progress);
    } catch (const Error& error) {
      note_failure(family, outcome, error);
    } catch (const std::bad_alloc&) {
      note_failure(family, outcome,
                   Error(ErrorKind::out_of_memory, "OutOfMemory: the system has no memory left",
                         "use fewer threads (-j), or a machine with more memory"));
    } catch (const std::exception& error) {
      note_failure(family, outcome, Error(ErrorKind::internal, error.what()));
    }
    span.add("sequences", static_cast<double>(outcome.sequences));
    span.add("columns", static_cast<double>(outcome.columns));
  }

  /// A family that is to be aligned.
  struct Prepared {
    PreparedFamily family;
    AlignmentSources sources;
  };

  /// Reads a family and checks that its output can be written. Returns no value if an earlier run
  /// has completed the family.
  std::optional<Prepared> prepare(const BatchFamily& family, FamilyOutcome& outcome) {
    const ReadingScope reading(reading_limit_);
    FamilySource source = source_of(family, settings_.source);
    std::vector<InputText> inputs = read_inputs(source, settings_.with_checksums);
    outcome.input_sha256 = checksum_of(inputs);
    const AlignmentSources sources{hash_of(source, inputs), parameters_};
    if (settings_.resume && record_.is_complete(family, sources)) {
      outcome.status = FamilyStatus::complete;
      return std::nullopt;
    }
    make_directory(parent_path(family.output));
    check_output_writable(family.output);
    leave_out_unused(source, inputs);
    PreparedFamily prepared = prepare_family(
        family_of_inputs(source, std::move(inputs), FamilyUse::alignment), settings_.method,
        shows_confidence(settings_.format) || settings_.beside_confidence);
    prepared.settings.label = family.input;
    outcome.sequences = prepared.set().size();
    if (settings_.with_checksums) outcome.track_settings = track_settings(prepared.input.source);
    check_memory(prepared, wanted_cpus(family), limits_.budget);
    return Prepared{std::move(prepared), sources};
  }

  void align(const BatchFamily& family, FamilyOutcome& outcome, FamilyProgress& progress) {
    const std::optional<Prepared> prepared = [&] {
      // In front of the lease, so that whoever waits here holds nothing.
      const MemoryGate::Pass reading(reading_, most_reading(family));
      const CpuBudget::Lease cpu(cpus_, 1);
      return with_errors_of_family([&] { return prepare(family, outcome); });
    }();
    if (!prepared) return;
    const SequenceSet& set = prepared->family.set();
    const AlignSettings& settings = prepared->family.settings;
    const MemoryGate::Pass memory(
        memory_,
        family_memory(workload_of(prepared->family), worst_case(), settings, wanted_cpus(family)));
    const CpuBudget::Lease cpus(cpus_, [&] { return wanted_cpus(family); });
    const Timer timer;
    const AlignResult result =
        align_sequences(set, settings, prepared->family.plan, scheduler_, {.progress = &progress});
    const std::string tag = track_tag(prepared->family.input.source.track);
    const std::string hash = write_files(family, set, result, tag, outcome);
    if (result.confidence) outcome.confidence = result.confidence->mean;
    outcome.facts = result.facts;
    record_.add(family, prepared->sources, hash);
    outcome.columns = result.msa.columns;
    outcome.seconds = timer.seconds();
    outcome.status = FamilyStatus::aligned;
    log_verbose("aligned      " + family.id + ": " + counted(set.size(), "sequence") + ", " +
                counted(outcome.columns, "column") + in_words(result.facts));
  }

  /// Writes the alignment, with tracks as lines of markup `tag`, and the files beside it.
  /// Returns  the text_hash of the alignment.
  std::string write_files(const BatchFamily& family, const SequenceSet& set,
                          const AlignResult& result, const std::string& tag,
                          FamilyOutcome& outcome) {
    AlignmentText alignment =
        make_alignment_text(set, result.msa, result.confidence ? &*result.confidence : nullptr);
    if (settings_.format == AlignmentFormat::stockholm) {
      add_track_lines(alignment, set, result.msa, tag);
    }
    say_size(alignment, family.output, settings_.format);
    warn_of_format(alignment, settings_.format);
    std::string hash;
    Output output{family.output, [&](TextSink& out) {
                    TextHasher hasher;
                    TextSink parts([&](std::string_view part) {
                      hasher.add(part);
                      out << part;
                    });
                    write_alignment(alignment, settings_.format, std::nullopt, parts);
                    parts.flush();
                    hash = hasher.digits();
                  }};
    OutputFiles files;
    if (settings_.with_checksums) {
      outcome.output_sha256 = files.add_with_checksum(std::move(output)).sha256;
    } else {
      files.add(std::move(output));
    }
    if (settings_.beside) {
      for (Output& beside : settings_.beside(family, set, result)) files.add(std::move(beside));
    }
    files.finish();
    return hash;
  }

  int wanted_cpus(const BatchFamily& family) {
    const std::lock_guard lock(mutex_);
    return cpus_for(expected_work(family), open_work_, limits_.cpus);
  }

  void note_failure(const BatchFamily& family, FamilyOutcome& outcome, const Error& error) {
    outcome.status = FamilyStatus::failed;
    outcome.error = error.what();
    log_warning("family " + family.id + " failed: " + error.what(), error.hint());
    if (settings_.keep_going || !concerns_all(error.kind())) return;
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }

  const std::vector<BatchFamily>& families_;
  const BatchSettings& settings_;
  const BatchLimits& limits_;
  const std::size_t reading_limit_ = reading_limit();
  MemoryGate reading_{reading_limit_,
                      "bytes of reading"};  ///< of the families that are read at a time
  Scheduler& scheduler_;
  BatchRecord& record_;
  ProgressListener& progress_;
  const std::string parameters_;
  CpuBudget& cpus_;
  MemoryGate memory_;
  std::vector<FamilyOutcome> outcomes_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  double open_work_;  // of the families that are not done
  bool stopped_ = false;
  bool is_warned_ = false;
};

}  // namespace

BatchLimits batch_limits(int cpus, bool has_devices, std::optional<std::size_t> budget) {
  // Families that may wait for devices while others are computed. The pairs of this number of small
  // families fill a large GPU.
  constexpr int kWaitingForDevices = 96;
  // Families that are read or written while the CPUs compute others.
  constexpr int kReadAhead = 2;
  constexpr std::size_t kUnknownMemory = std::size_t{8} << 30;
  BatchLimits limits;
  limits.cpus = cpus;
  limits.in_flight = cpus + kReadAhead + (has_devices ? kWaitingForDevices : 0);
  const std::size_t all = budget.value_or(kUnknownMemory);
  limits.budget = budget;
  // The memory of the program itself is not for families.
  limits.memory_bytes = all - std::min(all, program_memory(cpus));
  return limits;
}

std::vector<BatchFamily> families_of(const BatchSettings& settings) {
  std::vector<BatchFamily> families =
      list_families(settings.source.files, settings.directory, suffix_of(settings.format));
  name_tracks(families, settings.source.track.of_families);
  check_tracks(families, settings.source, settings.method);
  return families;
}

std::vector<FamilyOutcome> run_batch(const std::vector<BatchFamily>& families,
                                     const BatchSettings& settings, const BatchLimits& limits,
                                     Scheduler& scheduler, BatchRecord& record,
                                     ProgressListener& progress) {
  return BatchRun(families, settings, limits, scheduler, record, progress).run();
}

namespace run {

std::vector<FamilyOutcome> batch(const std::vector<BatchFamily>& families,
                                 const BatchSettings& settings, BatchRecord& record,
                                 const RunContext& context) {
  const BatchLimits limits =
      batch_limits(thread_count(), context.devices.expects_devices(), context.memory_budget);
  return context.devices.compute([&](Scheduler& scheduler) {
    return run_batch(families, settings, limits, scheduler, record, *context.listener.progress);
  });
}

}  // namespace run

}  // namespace accord
