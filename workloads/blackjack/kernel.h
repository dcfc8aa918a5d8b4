#pragma once

// The rules of the house, and how a strategy is written down.

namespace blackjack {

constexpr int kBlock = 128;
/// Of a grid that is resident as a whole.
constexpr int kResidentBlock = 1024;
constexpr int kDecks = 6;
/// Cards of each value from ace (1) to nine; those of ten are four times as many.
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
  kDoubleElseHit,  ///< With more than two cards one cannot double.
  kDoubleElseStand,
};

/// What to do, by one's own cards and the one that the dealer shows (1 is the ace).
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
