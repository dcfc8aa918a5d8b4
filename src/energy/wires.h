#pragma once

#include "energy/origin.h"

namespace heddle::energy {

/// The energy of moving a word over a distance: capacitance x voltage^2 x length, multiplied by the
/// number of wires and the fraction `switching` (Gebhart's dissertation, Table 4.6).
struct Wires {
  double femtofarads_per_millimetre = 0;  ///< Capacitance of one wire.
  double word_bits = 0;                   ///< Number of parallel wires.
  /// Energy per wire and word as a fraction of capacitance x voltage^2.
  double switching = 1;
  Origin origin{};

  /// The energy of moving one word.
  double picojoules(double volts, double millimetres) const {
    constexpr double kPicojoulesOfFemtojoule = 1e-3;
    return femtofarads_per_millimetre * kPicojoulesOfFemtojoule * volts * volts * millimetres *
           word_bits * switching;
  }
};

}  // namespace heddle::energy
