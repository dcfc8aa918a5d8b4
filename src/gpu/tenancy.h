#pragma once

// Which streams have blocks on which multiprocessors, and for how long they have had: what of a
// chip's time is whose, where several run side by side.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cycle.h"

namespace heddle::gpu {

class Tenancy {
 public:
  /// So many streams begin on multiprocessors that are all empty.
  void begin(std::size_t streams, std::size_t sms) { held_.assign(streams, Places(sms)); }
  /// A block is there from `at` on.
  void take(std::uint32_t stream, std::uint32_t sm, Cycle at) {
    Place& place = held_[stream][sm];
    if (place.blocks++ == 0) place.since = at;
  }
  /// One that was there has ended at `at`. Of an epoch they come in any order.
  void end(std::uint32_t stream, std::uint32_t sm, Cycle at) {
    Place& place = held_[stream][sm];
    place.last_end = std::max(place.last_end, at);
    if (--place.blocks == 0) place.cycles += from_to(place.since, place.last_end);
  }
  bool holds(std::uint32_t stream, std::uint32_t sm) const { return held_[stream][sm].blocks != 0; }
  /// Cycles until `at` in which the stream had a block on the multiprocessor.
  Cycles held(std::uint32_t stream, std::uint32_t sm, Cycle at) const {
    const Place& place = held_[stream][sm];
    return place.blocks == 0 ? place.cycles : place.cycles + from_to(place.since, at);
  }

 private:
  struct Place {
    std::uint32_t blocks = 0;
    Cycle since;     ///< Of the first of them.
    Cycle last_end;  ///< Of those that have ended.
    Cycles cycles;   ///< In which there were any, as long as that is over.
  };
  using Places = std::vector<Place>;  ///< By multiprocessor.

  static Cycles from_to(Cycle from, Cycle to) { return to > from ? to - from : Cycles(0); }

  std::vector<Places> held_;  ///< By stream.
};

}  // namespace heddle::gpu
