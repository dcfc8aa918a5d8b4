#pragma once

// Records which streams have blocks on which multiprocessors, and for how long. It divides a chip's
// time among streams that run side by side.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::gpu {

class Tenancy {
 public:
  /// Resets the record for `streams` streams; all multiprocessors are empty.
  void begin(std::size_t streams, std::size_t sms) { held_.assign(streams, Places(sms)); }
  /// A block of the stream becomes resident on the multiprocessor at `at`.
  void take(std::uint32_t stream, std::uint32_t sm, Cycle at) {
    Place& place = held_[stream][sm];
    if (place.blocks++ == 0) place.since = at;
  }
  /// A resident block of the stream has ended at `at`. The ends of blocks within one epoch may be
  /// reported in any order.
  void end(std::uint32_t stream, std::uint32_t sm, Cycle at) {
    Place& place = held_[stream][sm];
    place.last_end = std::max(place.last_end, at);
    if (--place.blocks == 0) place.cycles += from_to(place.since, place.last_end);
  }
  /// Whether the stream has a resident block on the multiprocessor.
  bool holds(std::uint32_t stream, std::uint32_t sm) const { return held_[stream][sm].blocks != 0; }
  /// The cycles until `at` in which the stream had a resident block on the multiprocessor.
  Cycles held(std::uint32_t stream, std::uint32_t sm, Cycle at) const {
    const Place& place = held_[stream][sm];
    return place.blocks == 0 ? place.cycles : place.cycles + from_to(place.since, at);
  }

 private:
  struct Place {
    std::uint32_t blocks = 0;
    Cycle since;     ///< Begin of the current holding time.
    Cycle last_end;  ///< The latest end of a block.
    Cycles cycles;   ///< The sum of completed holding times.
  };
  using Places = std::vector<Place>;  ///< By multiprocessor.

  static Cycles from_to(Cycle from, Cycle to) { return to > from ? to - from : Cycles(0); }

  std::vector<Places> held_;  ///< By stream.
};

}  // namespace heddle::gpu
