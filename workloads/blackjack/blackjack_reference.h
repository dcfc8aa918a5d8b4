#pragma once

// A host player: cards as cards, hands as lists of them.

#include <cstdint>
#include <vector>

#include "kernel.h"

namespace heddle::workload::blackjack_reference {

/// The basic strategy for several decks, a dealer who stands on every 17, and doubling after a
/// split allowed.
blackjack::Strategy basic_strategy();

struct Played {
  std::int32_t winnings = 0;  ///< In half bets.
  std::int32_t cards_dealt = 0;
};

/// What one table's rounds come to.
Played play(const blackjack::Generator& seed, const blackjack::Strategy& strategy, int rounds);

}  // namespace heddle::workload::blackjack_reference
