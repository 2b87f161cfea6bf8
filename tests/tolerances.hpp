// SPDX-License-Identifier: Apache-2.0
#pragma once

// How far results may be from the oracles. Backends among themselves are compared byte for byte.
namespace accord::testing {

/// Oracle against brute force: relative error of a posterior of a few residues.
inline constexpr double kOracleError = 1e-12;

/// Posterior in scaled single precision against the oracle, absolute. Measured: 3.5e-6 on
/// unrelated to identical pairs to 2000 residues, 2.7e-6 on repeats, swaps and long gaps, 2.9e-6
/// at 3000 residues.
inline constexpr double kPosteriorError = 1e-5;

/// Expected-accuracy distance from the stored kept cells against the oracle from all cells.
/// Measured: 1.6e-5, from 1 being stored as 1 - 2^-16; cells below the cutoff hardly matter.
inline constexpr double kDistanceError = 5e-5;

/// Rounding of a stored sparse probability: half a unit of 2^-16, and 1 is stored as 1 - 2^-16.
inline constexpr double kStoredProbabilityError = 1.0 / 131072;
inline constexpr double kStoredOneError = 1.0 / 65536;

}  // namespace accord::testing
