#pragma once

// The rules that map counters to energy events. Every counter of every machine has exactly one
// rule. The rule either lists the events that a count is charged as, or says why the counter is
// free (tests/energy/charges_test.cpp).

#include <cstdint>
#include <span>
#include <string_view>

#include "energy/event.h"

namespace heddle::energy {

/// The number of events for each count of a counter.
enum class Times : std::uint8_t {
  one,
  l1_segment,       ///< Units of 16 bytes in a segment of a load or store.
  l1_fill,          ///< Units of 16 bytes in the fill of a miss.
  l1_line,          ///< Units of 16 bytes in a line of the L1.
  scratchpad_pass,  ///< Units of 16 bytes in one access to all banks of the scratchpad.
  sixteenth,        ///< 1/16: a count is a byte, and an event 16 bytes.
  bits,             ///< 8: a count is a byte, and an event a bit.
  with_l2,          ///< 1 if the machine has an L2, otherwise 0.
  one_lane,         ///< 1/32: an event is of all lanes.
  // The counter says that events, which another counter has charged, did not happen.
  not_done,         ///< -1: the whole event.
  not_other_lanes,  ///< -31/32: all lanes but one.
};

/// An event that a count of a counter is charged as.
struct Charge {
  Event event;
  Times times = Times::one;  ///< How many of these events.
};

/// Whether a counter counts operands that instructions read or write, in any level of the register
/// file. From these counters, an account computes the energy that the operands would take in the
/// main register file. Transfers between levels are not operands.
enum class Operand : std::uint8_t {
  none,  ///< The counter does not count operands.
  read,
  written,
  no_source,  ///< Subtracts a read counted elsewhere: the second read of one source.
  no_result,  ///< Subtracts a write counted elsewhere: a result's second write or a write-back.
};

/// The rule for a counter or a family of counters.
struct ChargeRule {
  std::string_view counter;           ///< "l1.hits", or "warp.*" for all that begin with "warp.".
  std::span<const Charge> charges{};  ///< Empty if the counter's events are free.
  std::string_view why_free{};        ///< Empty if `charges` is not.
  Operand operand = Operand::none;
  /// A counter that charges the same work, lane by lane; empty if there is none. Runs that older
  /// versions of Heddle stored do not have it.
  std::string_view by_lane{};
};

/// The rule with the counter's full name, else the rule of its family ("warp.*"); null if there is
/// neither.
const ChargeRule* find_rule(std::string_view counter);
std::span<const ChargeRule> all_rules();

}  // namespace heddle::energy
