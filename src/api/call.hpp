// SPDX-License-Identifier: Apache-2.0
// Parts that the functions of the C++ interface share.
#pragma once
#include <algorithm>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "accord/api/api.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "core/aligned_rows.hpp"
#include "core/confidence.hpp"
#include "core/msa.hpp"
#include "engine/progress_listener.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/families/family_reader.hpp"
#include "io/files/reading_memory.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"
#include "run/report/report.hpp"
#include "tools/column_distances.hpp"

namespace accord::api {

/// The residue type that the caller names; nothing for Letters::detect.
std::optional<ResidueType> type_of(Letters letters);
/// A residue type in the words of the interface.
Letters letters_of(ResidueType type);

/// The records of a caller's sequences, without gaps; records_of_rows() keeps gaps, as `-`.
/// Throws  Error{bad_input} for characters that are no residues, and for rows that differ in
///         length.
std::vector<SequenceRecord> records_of(const std::vector<Sequence>& sequences);
std::vector<SequenceRecord> records_of_rows(const std::vector<Sequence>& rows);

/// The settings for reading sequences, from the options of a caller.
FamilySource source_of(const Options& options);
/// Makes a family of a caller's sequences. Tracks in the options are refused unless `takes_track`.
/// Throws  as records_of and make_family; Error{bad_input} if there are no sequences.
FamilyInput family_of(const std::vector<Sequence>& sequences, const Options& options,
                      bool takes_track = false);
/// A caller's alignment in the form of one from a file; `label` names it in messages.
/// Throws  as records_of_rows and make_family; Error{bad_input} if there are no rows.
AlignedFamily aligned_family_of(const std::vector<Sequence>& rows, const Options& options,
                                const std::string& label = "the alignment");

/// Sets the options of the method that a caller has named in Options::named.
/// Throws  as MethodOptions::set.
void set_named_options(const Options& options, MethodOptions& method);
/// The options of the method. Messages have their names with underscores.
/// Throws  as MethodOptions::set.
MethodOptions method_of(const Options& options);
/// The settings of the method for residues of a type, from the options of a caller.
/// Throws  as make_settings.
AlignSettings settings_of(const Options& options, ResidueType type);
/// The host memory that a call may use, in bytes; nothing if no limit is known.
std::optional<std::size_t> budget_of(const Options& options);

/// A caller's rows under the first words of their names, for comparisons; `label` names the
/// alignment in their messages. Nothing is checked: the comparison refuses rows that differ in
/// length or share a name.
AlignedRows named_rows_of(const std::vector<Sequence>& rows, const std::string& label);

/// An option as hints write it: device="none", or, if Options has no such option, "option NAME of
/// the program".
std::string option_words(const std::string& name, const std::string& value);

/// Refuses names in Options::named that are no options.
/// Throws  Error{usage}
void check_names(const Options& options);

/// Calls `body` and returns its result. Hints of its errors name options as Options does.
template <class Body>
auto with_api_option_names(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), with_option_words(error.hint(), option_words));
  }
}

/// The number of threads of a call.
/// Throws  Error{usage} if the options ask for more than the program may have (see
/// compute_options).
int threads_of(const Options& options);

/// Calls body(scope) with the number of threads of the options, and returns its result. `scope` is
/// a WarningScope, which collects the warnings of this call alone.
/// Throws  as threads_of, check_names and `body`.
template <class Body>
auto call(const Options& options, const Body& body) {
  const LocalThreadCount threads(threads_of(options));
  const ReadingScope reading(options.memory > 0 ? std::optional(options.memory) : std::nullopt);
  const WarningScope scope;
  return with_api_option_names([&] {
    check_names(options);
    return body(scope);
  });
}

/// The models of distances that phylogeny adds to those of the aligner, and the stages of
/// phylogeny, which the self-test of devices computes, too. A build without phylogeny has none: the
/// results are null and empty.
const OtherDistanceModels* other_distance_models();
std::vector<const Stage*> other_stages();

/// The warnings of a call.
std::vector<Notice> notices_of(const WarningScope& scope);

/// The devices behind an OpenDevice.
struct OpenedDevice {
  RunDevices devices;
  std::vector<Notice> warnings;

  /// The devices of a call: those of Options::open_device, or else devices opened for the call.
  /// Throws  as RunDevices.
  static RunDevices devices_for_call(const Options& options);
};

/// Passes the progress of the stages on to the caller's function.
class ProgressAdapter : public ProgressListener {
 public:
  /// `progress` may be empty, and must outlive this object.
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
  std::string stage_;  // written between stages, when no thread calls advance()
  std::uint64_t all_ = 0;
  std::atomic<std::uint64_t> done_{0};
};

/// The run of a call: its devices, its progress, and a meter of its time and memory, which starts
/// with the construction.
class CallRun {
 public:
  /// Starts the meter, then gets the devices. `options` must outlive this object.
  /// Throws  as OpenedDevice::devices_for_call.
  explicit CallRun(const Options& options)
      : budget_(budget_of(options)),
        meter_(budget_),
        devices_(OpenedDevice::devices_for_call(options)),
        progress_(options.progress) {}

  /// The context for the functions of a run; it refers to this object.
  RunContext context() { return {devices_, budget_, {.progress = &progress_}}; }
  RunDevices& devices() { return devices_; }
  const CostMeter& meter() const { return meter_; }

 private:
  std::optional<std::size_t> budget_;
  CostMeter meter_;
  RunDevices devices_;
  ProgressAdapter progress_;
};

/// The rows of an alignment, for the caller.
Alignment alignment_of(const AlignmentText& text);
/// Sets the confidence of an alignment for the caller.
void set_confidence(Alignment& alignment, const SequenceSet& set, const Msa& msa,
                    const Confidence& confidence);

/// The rows of `text`, which has the columns `kept` of the alignment `whole`, with the confidence
/// of these columns in `whole`. The mean confidence is that of `whole`, with all its columns.
Alignment part_of(const AlignmentText& text, const Alignment& whole, const std::vector<bool>& kept);

}  // namespace accord::api
