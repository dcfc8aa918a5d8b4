// Blackjack by basic strategy, one table a thread: each plays many rounds against the dealer with
// a shoe of its own.

#include "kernel.h"

using namespace blackjack;

// All threads read it, each somewhere else.
__constant__ Strategy strategy;

// Cards left of each value, the tens first because most cards are tens.
struct PrivateShoe {
  unsigned char left[10];
  __device__ unsigned char& operator[](int i) { return left[i]; }
};

// The same of a whole block. A column a thread: whichever values the threads of a warp look at, each
// has a bank of its own.
struct SharedShoes {
  int left[10][kBlock];
  __device__ int& operator[](int i) { return left[i][threadIdx.x]; }
};

struct Table {
  Generator generator;
  int left;   // Cards in the shoe.
  int dealt;  // Cards since the begin.
};

__device__ unsigned next_random(Generator& g) {
  const unsigned t = g.x ^ (g.x << 11);
  g.x = g.y;
  g.y = g.z;
  g.z = g.w;
  g.w = g.w ^ (g.w >> 19) ^ t ^ (t >> 8);
  return g.w;
}

template <class Shoe>
__device__ void shuffle(Shoe& shoe, Table& table) {
  shoe[0] = 4 * kCardsOfValue;
  for (int i = 1; i < 10; ++i) shoe[i] = kCardsOfValue;
  table.left = kCardsInShoe;
}

// A card is drawn when it is dealt: any of those left.
template <class Shoe>
__device__ int deal(Shoe& shoe, Table& table) {
  int index = __umulhi(next_random(table.generator), table.left);
  int i = 0;
  while (index >= shoe[i]) {
    index -= shoe[i];
    ++i;
  }
  --shoe[i];
  --table.left;
  ++table.dealt;
  return 10 - i;
}

// Aces count one until somebody asks for the best total.
struct Hand {
  int hard_total;
  bool has_ace;
};

__device__ void take(Hand& hand, int card) {
  hand.hard_total += card;
  hand.has_ace |= card == 1;
}

__device__ bool is_soft(const Hand& hand) { return hand.has_ace && hand.hard_total <= 11; }

__device__ int best_total(const Hand& hand) {
  return hand.hard_total + (is_soft(hand) ? 10 : 0);
}

__device__ bool is_natural(int first, int second) {
  return first + second == 11 && (first == 1 || second == 1);
}

// Plays a hand of two cards to its end; its total. The stake doubles where the strategy says so.
template <class Shoe>
__device__ int play_hand(Shoe& shoe, Table& table, const Strategy& strategy, Hand hand, int shown,
                         int& stake) {
  bool two_cards = true;
  while (best_total(hand) < 21) {
    const Action action = is_soft(hand) ? strategy.soft[best_total(hand)][shown]
                                        : strategy.hard[hand.hard_total][shown];
    if (action == kStand || (action == kDoubleElseStand && !two_cards)) break;
    take(hand, deal(shoe, table));
    if (action != kHit && two_cards) {
      stake *= 2;
      break;
    }
    two_cards = false;
  }
  return best_total(hand);
}

// One round; what the player won, in half bets.
template <class Shoe>
__device__ int play_round(Shoe& shoe, Table& table, const Strategy& strategy) {
  const int first = deal(shoe, table);
  const int shown = deal(shoe, table);
  const int second = deal(shoe, table);
  const int hidden = deal(shoe, table);

  const bool natural = is_natural(first, second);
  if (is_natural(shown, hidden)) return natural ? 0 : -kBet;
  if (natural) return kNaturalPays;

  // A pair is split once; each ace of a split pair gets one card only.
  const bool splits = first == second && strategy.split[first][shown];
  int total[2];
  int stake[2] = {kBet, kBet};
  bool all_bust = true;
  for (int i = 0; i < (splits ? 2 : 1); ++i) {
    Hand hand = {first, first == 1};
    take(hand, splits ? deal(shoe, table) : second);
    total[i] = splits && first == 1 ? best_total(hand)
                                    : play_hand(shoe, table, strategy, hand, shown, stake[i]);
    all_bust &= total[i] > 21;
  }

  Hand dealer = {shown + hidden, shown == 1 || hidden == 1};
  if (!all_bust) {
    while (best_total(dealer) < 17) take(dealer, deal(shoe, table));
  }
  const int to_beat = best_total(dealer);
  int won = 0;
  for (int i = 0; i < (splits ? 2 : 1); ++i) {
    if (total[i] > 21 || (to_beat <= 21 && total[i] < to_beat)) {
      won -= stake[i];
    } else if (to_beat > 21 || total[i] > to_beat) {
      won += stake[i];
    }
  }
  return won;
}

struct Played {
  int winnings;  // In half bets.
  int cards_dealt;
};

// All rounds of a table.
template <class Shoe>
__device__ Played play_table(Shoe& shoe, const Strategy& strategy, const Generator& generator,
                             int rounds) {
  Table table = {generator, 0, 0};
  int won = 0;
  for (int round = 0; round < rounds; ++round) {
    if (table.left < kCutCard) shuffle(shoe, table);
    won += play_round(shoe, table, strategy);
  }
  return {won, table.dealt};
}

extern "C" __global__ void play_blackjack(const Generator* generators, int rounds, int tables,
                                          int* winnings, int* cards_dealt) {
  __shared__ SharedShoes shoe;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= tables) return;
  const Played played = play_table(shoe, strategy, generators[i], rounds);
  winnings[i] = played.winnings;
  cards_dealt[i] = played.cards_dealt;
}

// The same on a grid that is resident as a whole: a thread plays table after table, with the shoe in
// memory of its own.
extern "C" __global__ void play_blackjack_resident(const Generator* generators,
                                                   const Strategy* strategy, int rounds, int tables,
                                                   int* winnings, int* cards_dealt) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < tables; i += threads) {
    PrivateShoe shoe;
    const Played played = play_table(shoe, *strategy, generators[i], rounds);
    winnings[i] = played.winnings;
    cards_dealt[i] = played.cards_dealt;
  }
}
