#pragma once

// When a value occupies its place in an upper level. The unit is the issue slot, called slot here:
// the slot of a position spans from that instruction to the next. An instruction reads before it
// writes, so it may write to a place that it reads. Two values can share a place if they occupy it
// in no common slot. Divergent threads change nothing: each thread has its own copy of the place.

#include <cstdint>
#include <span>
#include <vector>

#include "code/placement/values.h"

namespace heddle::code {

/// The slots from `first` to `last`.
struct Interval {
  Position first = 0;
  Position last = 0;  ///< Inclusive.
};

/// Computes the slots that values of one function occupy.
class Occupancy {
 public:
  explicit Occupancy(const CodeOrder& code) : code_(code), seen_(code.blocks()) {}

  /// The slots that `value` occupies if an upper level serves its first `served` reads: disjoint
  /// intervals, ordered by position.
  std::vector<Interval> slots_of(const Value& value, std::size_t served);

 private:
  void trace_back(const Value& value, BlockIndex block, Position end);

  const CodeOrder& code_;
  std::vector<std::uint32_t> seen_;  ///< By block: the last call of slots_of() that saw its end.
  std::uint32_t call_number_ = 0;    ///< The number of calls of slots_of() so far.
  std::vector<BlockIndex> work_;     ///< Blocks whose ends are still to be visited.
  std::vector<Interval> found_;      ///< The intervals found in the current call.
};

/// The slots in which one word of an upper level is occupied.
class TakenSlots {
 public:
  /// `size`: the number of slots, one for each position of the code.
  explicit TakenSlots(Position size) : bits_((size + 63) / 64) {}

  bool is_free(std::span<const Interval> slots) const;
  void take(std::span<const Interval> slots);

 private:
  std::vector<std::uint64_t> bits_;  ///< A bit for each slot.
};

}  // namespace heddle::code
