// SPDX-License-Identifier: Apache-2.0
#include "run/batch/batch_tracks.hpp"

#include <algorithm>

#include "accord/base/error.hpp"
#include "base/text_hash.hpp"
#include "io/families/input_files.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "method/track_weight.hpp"

namespace accord {
namespace {

bool is_structure_input(const InputText& input, const ReadOptions& reading) {
  return is_structure(format_of_text(input.text, input_label(input.file.path), reading));
}

bool may_have_structures(const BatchFamily& family) {
  return std::ranges::any_of(files_of_inputs({family.input}), [](const InputFile& file) {
    const std::optional<AlignmentFormat> format = format_of_suffix(file.path);
    return format && is_structure(*format);
  });
}

}  // namespace

void check_tracks(const std::vector<BatchFamily>& families, const FamilySource& source,
                  const MethodOptions& method) {
  const TrackSource& track = source.track;
  if (track.file) {
    throw Error(ErrorKind::usage, track.file->name + ": one file of tracks, and many families",
                "name a folder with a file ID.fa for each family, a path with {} for ID, GR:TAG or "
                "GC:TAG");
  }
  const bool has_tracks = std::ranges::any_of(families, [&](const BatchFamily& family) {
    return family.track ? !family.track->empty() : !track.tag.empty();
  });
  if (has_tracks) {
    if (track.table == nullptr) {
      throw Error(ErrorKind::usage, "tracks, and no table of log odds for their letters",
                  "add {track-matrix} " + listed(built_in_track_tables()) + ", or a file");
    }
    TrackSource any = track;
    any.file = OptionFile{};
    AlignSettings settings = make_settings(method, source.type.value_or(ResidueType::protein));
    use_tracks(any, settings);  // only to see that the mode has tracks
    return;
  }
  const bool has_weight_alone = track.table == nullptr && track.weight.has_value();
  if (track.table == nullptr && !has_weight_alone) return;
  if (has_weight_alone && std::ranges::any_of(families, may_have_structures)) return;
  throw Error(ErrorKind::usage, "a table or a weight of tracks, and no tracks",
              "add {track}, or leave out {track-matrix} and {track-weight}");
}

FamilySource source_of(const BatchFamily& family, const FamilySource& shared) {
  FamilySource source = shared;
  source.files = {family.input};
  if (!family.track) return source;
  try {
    set_tracks(*family.track, source.track);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::no_input) throw;
    throw Error(ErrorKind::no_input, error.what(),
                "in a manifest, a family with an empty TRACK is aligned without tracks");
  }
  return source;
}

void leave_out_unused(FamilySource& source, const std::vector<InputText>& inputs) {
  TrackSource& track = source.track;
  if (track.has_tracks()) return;
  track.table = nullptr;
  const auto is_of_structure = [&](const InputText& input) {
    return is_structure_input(input, source.reading);
  };
  if (std::ranges::none_of(inputs, is_of_structure)) track.weight.reset();
}

std::string hash_of(const FamilySource& source, const std::vector<InputText>& inputs) {
  const TrackSource& track = source.track;
  std::string all;
  for (const InputText& input : inputs) {
    if (!all.empty()) all += '\n';
    all += text_hash(input.text);
    if (is_structure_input(input, source.reading)) all += ' ' + input.file.named;
  }
  const bool is_one_text = all.size() == text_hash({}).size();
  if (is_one_text && !track.has_tracks()) return all;
  if (track.file) all += "\ntrack " + text_hash(track.file->text);
  if (!track.tag.empty()) all += (track.is_of_columns ? "\ntag of columns " : "\ntag ") + track.tag;
  return text_hash(all);
}

}  // namespace accord
