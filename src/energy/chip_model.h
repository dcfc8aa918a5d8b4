#pragma once

// What a chip as a whole is taken to consume, so that a saving in its register file can be told as
// a share of the whole (Gebhart's dissertation, section 4.4.1), and bits that are added to
// instructions as what they cost (section 4.4.2). Its watts are assumed, and are no run's.

#include "energy/origin.h"

namespace heddle::energy {

struct ChipModel {
  double watts = 0;
  double leakage_share = 0;
  double memory_system_share = 0;  ///< Of dynamic power; the rest is the multiprocessors'.
  double multiprocessors = 0;
  double register_file_share = 0;     ///< Of a multiprocessor's dynamic power.
  double fetch_and_decode_share = 0;  ///< Of the chip's dynamic power.
  double instruction_bit_share = 0;   ///< By which each bit more raises fetching and decoding.
  Origin origin{};

  double dynamic_watts() const { return watts * (1 - leakage_share); }
  /// Dynamic, of each.
  double multiprocessor_watts() const {
    return dynamic_watts() * (1 - memory_system_share) / multiprocessors;
  }
  /// Of each multiprocessor's.
  double register_file_watts() const { return multiprocessor_watts() * register_file_share; }

  /// What a saving comes to, as shares.
  struct Saving {
    double of_multiprocessor = 0;  ///< Of its dynamic power.
    double of_dynamic = 0;         ///< Of the chip's dynamic power.
    double of_chip = 0;            ///< Of all that the chip consumes.
    double watts = 0;              ///< On the whole chip.
  };
  /// Of such a share of what register files take, their operand routing and buffering included.
  Saving saving(double of_register_files) const;
  /// By how much so many bits more in each instruction raise the chip's dynamic power, as a share.
  double cost_of_bits(double bits) const {
    return fetch_and_decode_share * instruction_bit_share * bits;
  }
};

}  // namespace heddle::energy
