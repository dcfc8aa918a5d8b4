#pragma once

// A model of a whole chip's power (Gebhart's dissertation). It converts a saving in the register
// file into a fraction of the chip's power (section 4.4.1), and additional instruction bits into
// their cost (section 4.4.2). Its watts are assumptions, not those of a run.

#include "energy/origin.h"

namespace heddle::energy {

struct ChipModel {
  double watts = 0;                ///< Total power of the chip.
  double leakage_share = 0;        ///< Fraction of `watts`; the rest is dynamic power.
  double memory_system_share = 0;  ///< Of dynamic power; the rest belongs to the multiprocessors.
  double multiprocessors = 0;      ///< Their number.
  double register_file_share = 0;  ///< Of a multiprocessor's dynamic power.
  double fetch_and_decode_share = 0;  ///< Of the chip's dynamic power.
  /// Relative increase of fetch and decode power for each additional instruction bit.
  double instruction_bit_share = 0;
  Origin origin{};

  double dynamic_watts() const { return watts * (1 - leakage_share); }
  /// Dynamic power of one multiprocessor.
  double multiprocessor_watts() const {
    return dynamic_watts() * (1 - memory_system_share) / multiprocessors;
  }
  /// Dynamic power of one multiprocessor's register file.
  double register_file_watts() const { return multiprocessor_watts() * register_file_share; }

  /// A saving in the register files, as fractions of larger parts of the chip.
  struct Saving {
    double of_multiprocessor = 0;  ///< Of its dynamic power.
    double of_dynamic = 0;         ///< Of the chip's dynamic power.
    double of_chip = 0;            ///< Of the chip's total power.
    double watts = 0;              ///< For the whole chip.
  };
  /// The effect of saving a fraction of the register files' power, which includes operand routing
  /// and buffering.
  Saving saving(double saved_fraction) const;
  /// The relative increase of the chip's dynamic power from additional bits in each instruction.
  double cost_of_bits(double bits) const {
    return fetch_and_decode_share * instruction_bit_share * bits;
  }
};

}  // namespace heddle::energy
