#pragma once

// The rules of the house, and how a strategy is written down.

namespace blackjack {

constexpr int kBlock = 128;
/// Threads of a block in the resident form, whose grid is resident as a whole.
constexpr int kResidentBlock = 1024;
constexpr int kDecks = 6;
/// Cards of each value from ace (1) to nine. There are four times as many of value ten.
constexpr int kCardsOfValue = 4 * kDecks;
constexpr int kCardsInShoe = 52 * kDecks;
/// The shoe is shuffled before a round when fewer cards are left: a quarter.
constexpr int kCutCard = kCardsInShoe / 4;

// Winnings are counted in half bets: a natural pays 3 to 2.
constexpr int kBet = 2;
constexpr int kNaturalPays = 3;

enum Action : unsigned char {
  kHit,
  kStand,
  kDoubleElseHit,  ///< Doubles, or hits if the hand has more than two cards.
  kDoubleElseStand,
};

/// The action for a hand and the card that the dealer shows (1 is the ace).
struct Strategy {
  Action hard[22][11];  ///< By the total.
  Action soft[22][11];  ///< By the total, with an ace counted as eleven.
  bool split[11][11];   ///< By the value of the two equal cards.
};

/// The state of Marsaglia's xorshift generator (128 bits).
struct Generator {
  unsigned x, y, z, w;
};

}  // namespace blackjack
