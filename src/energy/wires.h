#pragma once

#include "energy/origin.h"

namespace heddle::energy {

/// What it takes to move a word over a distance: capacitance x voltage^2 x length of those wires
/// that switch (Gebhart's dissertation, Table 4.6).
struct Wires {
  double femtofarads_per_millimetre = 0;  ///< Of one wire.
  double word_bits = 0;                   ///< So many wires side by side.
  /// What is drawn for each wire and word, as a share of capacitance x voltage^2.
  double switching = 1;
  Origin origin{};

  double picojoules(double volts, double millimetres) const {
    constexpr double kPicojoulesOfFemtojoule = 1e-3;
    return femtofarads_per_millimetre * kPicojoulesOfFemtojoule * volts * volts * millimetres *
           word_bits * switching;
  }
};

}  // namespace heddle::energy
