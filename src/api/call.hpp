// SPDX-License-Identifier: Apache-2.0
// What the functions of the interface share.
#pragma once
#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "accord/api/api.hpp"
#include "app/devices/device_choice.hpp"
#include "base/log.hpp"
#include "base/option_words.hpp"
#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "core/aligned_rows.hpp"
#include "core/confidence.hpp"
#include "core/msa.hpp"
#include "engine/progress_listener.hpp"
#include "io/aligned_reader.hpp"
#include "io/family_reader.hpp"
#include "method/settings.hpp"

namespace accord::api {

std::optional<ResidueType> type_of(Letters letters);
Letters letters_of(ResidueType type);

/// The records of a caller's sequences, gaps left out; of rows, with their gaps as `-`.
/// Throws  Error{bad_input} for other characters; of rows, if they differ in length.
std::vector<SequenceRecord> records_of(const std::vector<Sequence>& sequences);
std::vector<SequenceRecord> records_of_rows(const std::vector<Sequence>& rows);

/// How a caller's sequences are taken.
FamilySource source_of(const Options& options);
/// The family of a caller's sequences.
/// Throws  as records_of and make_family; Error{bad_input} if there are none.
FamilyInput family_of(const std::vector<Sequence>& sequences, const Options& options);
/// A caller's alignment, as if it had been read.
/// Throws  as records_of_rows and make_family; Error{bad_input} if there are no rows.
AlignedFamily aligned_family_of(const std::vector<Sequence>& rows, const Options& options,
                                const std::string& label = "the alignment");

AlignSettings settings_of(const Options& options, ResidueType type);
std::optional<std::size_t> budget_of(const Options& options);

/// A caller's rows by the first words of their names, for comparisons; `label` is what they are
/// called.
AlignedRows named_rows_of(const std::vector<Sequence>& rows, const std::string& label);

/// An option as Options has it (`type` for its letters): device="none". Others are the program's.
std::string option_words(const std::string& name, const std::string& value);

/// Refuses names in Options::named that are no options. Throws  Error{usage}
void check_names(const Options& options);

/// What `body` returns; hints of errors name options as Options does.
template <class Body>
auto in_own_words(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), with_option_words(error.hint(), option_words));
  }
}

/// A call with a number of threads and warnings of its own.
template <class Body>
auto call(const Options& options, const Body& body) {
  const OwnThreadCount threads(options.threads > 0 ? options.threads : available_processors());
  const WarningScope scope;
  return in_own_words([&] {
    check_names(options);
    return body(scope);
  });
}

/// The warnings of a call.
std::vector<Notice> notices_of(const WarningScope& scope);

/// The number of this process (getpid).
int process_number();

/// What an OpenDevice has.
struct OpenedDevice {
  OpenBackends backends;
  std::unique_ptr<Scheduler> scheduler;  // over the backends
  std::vector<Notice> warnings;
  const int process = process_number();  // that opened it; a fork has none of its threads
};

/// What a call computes with: what its options have open, or else what it opens for itself.
class Devices {
 public:
  explicit Devices(const Options& options);
  Scheduler& scheduler() { return scheduler_; }
  /// The faults are those since the call began, of other calls that share the devices, too.
  DeviceUse use() const {
    return {opened_->backends.used, opened_->backends.names(),
            opened_->scheduler->faults().since(faults_before_)};
  }

 private:
  std::shared_ptr<const OpenedDevice> opened_;
  Scheduler scheduler_;
  DeviceFaults faults_before_;
};

/// Tells the caller's function what the stages tell.
class ProgressAdapter : public ProgressListener {
 public:
  explicit ProgressAdapter(const Progress& progress) : progress_(progress) {}

  void begin(const std::string& stage, const std::string&, std::uint64_t,
             std::uint64_t work) override {
    stage_ = stage;
    all_ = work;
    done_ = 0;
    if (progress_) progress_(stage_, 0);
  }

  void advance(std::uint64_t, std::uint64_t work) override {
    const std::uint64_t done = done_.fetch_add(work) + work;
    if (!progress_) return;
    progress_(stage_,
              all_ == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all_)));
  }

 private:
  const Progress& progress_;
  std::string stage_;  // written between stages, when nobody advances
  std::uint64_t all_ = 0;
  std::atomic<std::uint64_t> done_{0};
};

/// The rows of an alignment, for the caller, and its confidence.
Alignment alignment_of(const AlignmentText& text);
void set_confidence(Alignment& alignment, const SequenceSet& set, const Msa& msa,
                    const Confidence& confidence);

/// The columns that are `kept` of an alignment, as a text has them, with the confidence that they
/// have in `whole`.
Alignment part_of(const AlignmentText& text, const Alignment& whole, const std::vector<bool>& kept);

}  // namespace accord::api
