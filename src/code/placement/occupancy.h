#pragma once

// How long a value needs its place in an upper level. The slot of a position is what is kept from
// that instruction to the next: an instruction reads before it writes, so that it may write where
// it has read. Where control parts, each thread goes one way, with a place of its own; so two
// values can share a place if no slot has both.

#include <cstdint>
#include <span>
#include <vector>

#include "code/placement/values.h"

namespace heddle::code {

struct Interval {
  Position first = 0;
  Position last = 0;  ///< Included.
};

class Occupancy {
 public:
  explicit Occupancy(const CodeOrder& code) : code_(code), seen_(code.blocks()) {}

  /// The slots that `value` takes while an upper level serves its first `served` reads: disjoint,
  /// by position.
  std::vector<Interval> slots_of(const Value& value, std::size_t served);

 private:
  void go_back_from(const Value& value, BlockIndex block, Position end);

  const CodeOrder& code_;
  std::vector<std::uint32_t> seen_;  ///< By block: the last call that came to its end.
  std::uint32_t call_ = 0;
  std::vector<BlockIndex> work_;
  std::vector<Interval> found_;
};

/// The slots of one word of an upper level that are taken.
class TakenSlots {
 public:
  explicit TakenSlots(Position size) : bits_((size + 63) / 64) {}

  bool is_free(std::span<const Interval> slots) const;
  void take(std::span<const Interval> slots);

 private:
  std::vector<std::uint64_t> bits_;
};

}  // namespace heddle::code
