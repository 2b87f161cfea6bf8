// SPDX-License-Identifier: Apache-2.0
// Included by a source that is C++17.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace accord {

struct FoundChain;

/// The least pLDDT, of 100, of a residue whose coordinates count: see the measurement in
/// docs/track.md.
/// Reference  Jumper et al. 2021, Nature 596:583; Tunyasuvunakool et al. 2021, Nature 596:590
inline constexpr int kLeastPlddt = 50;

/// What a structure file says of its origin.
struct StructureOrigin {
  bool is_experiment = false;  ///< an experiment, or anisotropic displacements
  bool is_predicted = false;   ///< the pLDDT, or a program whose models have it as B factors

  /// Takes a method: of EXPDTA or _exptl.method. Theoretical models are no experiments.
  void take_method(std::string_view method);
  /// Takes the first edge of the unit cell, in Å. Models have one of 1 Å, or none.
  void take_cell(double edge);
  /// Takes a text that may name a program or the pLDDT.
  void take_text(std::string_view text);
};

/// The factor that makes the B factors of a predicted model its pLDDT, from 0 to 100: 1, or 100 if
/// they are at most 1. No value if the file is no predicted model, so that B factors do not matter.
///
/// A file that states an experiment or a unit cell is none. Another is a predicted model if it says
/// so, or if all of these hold for its residues with CA:
///
/// - All B factors are in (0, 100], and at least ten different ones occur.
/// - Each residue has one B factor for all of its atoms, four at least. Those of experiments differ
///   between backbone and side chain, unless they were refined by residues.
/// - The B factors rise with the number of CAs of the chain within 10 Å, as a pLDDT does: their
///   correlation is positive. Those of experiments fall with it (Halle 2002).
///
/// Warns if the file says that it is predicted, and its B factors are no pLDDT.
/// Reference  Halle 2002, Proc Natl Acad Sci USA 99:1274
std::optional<double> plddt_factor(const std::vector<FoundChain>& found,
                                   const StructureOrigin& origin, const std::string& label);

}  // namespace accord
