#pragma once

// Which counter tells how often which event happens. Every counter of every machine has one rule:
// it is charged, or it is free, and the rule says why (tests/energy/charges_test.cpp).

#include <cstdint>
#include <span>
#include <string_view>

#include "energy/event.h"

namespace heddle::energy {

/// How many events one count is.
enum class Times : std::uint8_t {
  one,
  active_lanes,     ///< Lanes with a thread on the path, on average over all instructions.
  l1_segment,       ///< 16 bytes each, of what loads and stores are made of.
  l1_fill,          ///< 16 bytes each, of what a miss brings.
  scratchpad_pass,  ///< 16 bytes each.
  sixteenth,        ///< Of bytes, 16 of which are an event.
  bits,             ///< Of bytes.
  with_l2,          ///< One, where there is an L2; else none.
};

struct Charge {
  Event event;
  Times times = Times::one;
};

/// Whether a count is a register that an instruction reads or writes, wherever it lies: what an
/// account holds against the main register file. What a hierarchy moves by itself is none.
enum class Operand : std::uint8_t {
  none,
  read,
  written,
  no_source,  ///< A read that another count has, and that is a source's second.
  no_result,  ///< A write that another count has, and that is a result's second or a write-back.
};

struct ChargeRule {
  std::string_view counter;           ///< "l1.hits"; "warp.*" for all that begin with "warp.".
  std::span<const Charge> charges{};  ///< None where it is free.
  std::string_view why_free{};
  Operand operand = Operand::none;
};

/// By its whole name, else as one of a family; null where there is no rule.
const ChargeRule* find_rule(std::string_view counter);
std::span<const ChargeRule> all_rules();

}  // namespace heddle::energy
