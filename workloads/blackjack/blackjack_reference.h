#pragma once

// A player on the host, with explicit cards and hands.

#include <cstdint>
#include <vector>

#include "kernel.h"

namespace heddle::workload::blackjack_reference {

/// The basic strategy for several decks, a dealer who stands on every 17, and doubling after a
/// split allowed.
blackjack::Strategy basic_strategy();

/// The result of all rounds at one table.
struct TableResult {
  std::int32_t winnings = 0;  ///< In half bets.
  std::int32_t cards_dealt = 0;
};

/// Plays the rounds of one table.
TableResult play(const blackjack::Generator& seed, const blackjack::Strategy& strategy, int rounds);

}  // namespace heddle::workload::blackjack_reference
