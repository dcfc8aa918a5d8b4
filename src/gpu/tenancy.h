#pragma once

// Records which streams of launches have blocks on which multiprocessors, and for how long. The
// record shows how streams that run side by side shared a chip.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::gpu {

class Tenancy {
 public:
  /// Resets the record for `streams` streams; all multiprocessors are empty.
  void begin(std::size_t streams, std::size_t sms) { occupancies_.assign(streams, BySm(sms)); }
  /// A block of the stream becomes resident on the multiprocessor at `at`.
  void add_block(std::uint32_t stream, std::uint32_t sm, Cycle at) {
    Occupancy& occupancy = occupancies_[stream][sm];
    if (occupancy.blocks++ == 0) occupancy.since = at;
  }
  /// A resident block of the stream has ended at `at`. The ends of blocks within one epoch may be
  /// reported in any order.
  void remove_block(std::uint32_t stream, std::uint32_t sm, Cycle at) {
    Occupancy& occupancy = occupancies_[stream][sm];
    occupancy.last_end = std::max(occupancy.last_end, at);
    if (--occupancy.blocks == 0) occupancy.cycles += from_to(occupancy.since, occupancy.last_end);
  }
  /// Whether the stream has a resident block on the multiprocessor.
  bool has_blocks(std::uint32_t stream, std::uint32_t sm) const {
    return occupancies_[stream][sm].blocks != 0;
  }
  /// The number of cycles before `at` in which the stream had a resident block on the
  /// multiprocessor.
  Cycles occupied_cycles(std::uint32_t stream, std::uint32_t sm, Cycle at) const {
    const Occupancy& occupancy = occupancies_[stream][sm];
    return occupancy.blocks == 0 ? occupancy.cycles
                                 : occupancy.cycles + from_to(occupancy.since, at);
  }

 private:
  /// The occupancy of one multiprocessor by one stream. A period is a time without interruption in
  /// which at least one block is resident.
  struct Occupancy {
    std::uint32_t blocks = 0;  ///< The number of resident blocks.
    Cycle since;               ///< The start of the current period.
    Cycle last_end;            ///< The latest end of a block.
    Cycles cycles;             ///< The sum of all earlier periods.
  };
  using BySm = std::vector<Occupancy>;

  static Cycles from_to(Cycle from, Cycle to) { return to > from ? to - from : Cycles(0); }

  std::vector<BySm> occupancies_;  ///< By stream, then by multiprocessor.
};

}  // namespace heddle::gpu
