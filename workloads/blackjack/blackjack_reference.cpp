#include "blackjack_reference.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

namespace heddle::workload::blackjack_reference {
namespace {

using blackjack::Action;

// One column for each card that the dealer shows: two to ten, then the ace. H hits, S stands, D
// doubles or hits, E doubles or stands.
constexpr std::string_view kHardUpTo8 = "HHHHHHHHHH";
constexpr std::array<std::string_view, 9> kHard9To17 = {
    "HDDDDHHHHH",  // 9
    "DDDDDDDDHH",  // 10
    "DDDDDDDDDH",  // 11
    "HHSSSHHHHH",  // 12
    "SSSSSHHHHH",  // 13
    "SSSSSHHHHH",  // 14
    "SSSSSHHHHH",  // 15
    "SSSSSHHHHH",  // 16
    "SSSSSSSSSS",  // 17 and more
};
constexpr std::array<std::string_view, 8> kSoft12To19 = {
    "HHHHHHHHHH",  // Two aces that are not split
    "HHHDDHHHHH",  // Ace and 2
    "HHHDDHHHHH",  // Ace and 3
    "HHDDDHHHHH",  // Ace and 4
    "HHDDDHHHHH",  // Ace and 5
    "HDDDDHHHHH",  // Ace and 6
    "SEEEESSHHH",  // Ace and 7
    "SSSSSSSSSS",  // Ace and 8, and more
};
// P splits.
constexpr std::array<std::string_view, 10> kPairs = {
    "PPPPPPPPPP",  // Aces
    "PPPPPP....",  // 2
    "PPPPPP....",  // 3
    "...PP.....",  // 4
    "..........",  // 5
    "PPPPP.....",  // 6
    "PPPPPP....",  // 7
    "PPPPPPPPPP",  // 8
    "PPPPP.PP..",  // 9
    "..........",  // 10
};

Action action_of(char letter) {
  switch (letter) {
    case 'S':
      return blackjack::kStand;
    case 'D':
      return blackjack::kDoubleElseHit;
    case 'E':
      return blackjack::kDoubleElseStand;
    default:
      return blackjack::kHit;
  }
}

/// All cards left in the shoe, highest first. Dealt cards are removed.
class Shoe {
 public:
  explicit Shoe(const blackjack::Generator& seed) : state_{seed.x, seed.y, seed.z, seed.w} {}

  void shuffle_if_due() {
    if (cards_.size() >= blackjack::kCutCard) return;
    cards_.clear();
    for (int value = 13; value >= 1; --value) {
      cards_.insert(cards_.end(), 4 * blackjack::kDecks, std::min(value, 10));
    }
  }
  int deal() {
    const std::uint64_t scaled = std::uint64_t{random()} * cards_.size();
    const auto card = cards_.begin() + static_cast<std::ptrdiff_t>(scaled >> 32);
    const int value = *card;
    cards_.erase(card);
    ++dealt_;
    return value;
  }
  std::int32_t dealt() const { return dealt_; }

 private:
  std::uint32_t random() {
    const std::uint32_t first = state_.front() ^ (state_.front() << 11);
    const std::uint32_t last = state_.back();
    std::rotate(state_.begin(), state_.begin() + 1, state_.end());
    state_.back() = (last ^ (last >> 19)) ^ (first ^ (first >> 8));
    return state_.back();
  }

  std::array<std::uint32_t, 4> state_;
  std::vector<int> cards_;
  std::int32_t dealt_ = 0;
};

using Cards = std::vector<int>;

int low_total(const Cards& cards) { return std::accumulate(cards.begin(), cards.end(), 0); }

bool has_usable_ace(const Cards& cards) {
  return std::find(cards.begin(), cards.end(), 1) != cards.end() && low_total(cards) + 10 <= 21;
}

int total_of(const Cards& cards) { return low_total(cards) + (has_usable_ace(cards) ? 10 : 0); }

bool is_blackjack(const Cards& cards) { return cards.size() == 2 && total_of(cards) == 21; }

struct FinishedHand {
  int total;
  int stake;
};

class Round {
 public:
  Round(Shoe& shoe, const blackjack::Strategy& strategy) : shoe_(shoe), strategy_(strategy) {}

  int play() {
    Cards player{shoe_.deal()};
    Cards dealer{shoe_.deal()};
    player.push_back(shoe_.deal());
    dealer.push_back(shoe_.deal());
    shown_ = static_cast<std::size_t>(dealer.front());
    if (is_blackjack(player) && is_blackjack(dealer)) return 0;
    if (is_blackjack(player)) return blackjack::kNaturalPays;
    if (is_blackjack(dealer)) return -blackjack::kBet;

    const int first = player.front();
    if (first == player.back() && strategy_.split[first][shown_]) {
      for (int hand = 0; hand < 2; ++hand) {
        const Cards cards{first, shoe_.deal()};
        if (first == 1) {
          finish(cards, blackjack::kBet);
        } else {
          decide(cards);
        }
      }
    } else {
      decide(player);
    }
    const auto bust = [](const FinishedHand& hand) { return hand.total > 21; };
    if (!std::all_of(finished_.begin(), finished_.end(), bust)) {
      while (total_of(dealer) < 17) dealer.push_back(shoe_.deal());
    }
    int won = 0;
    for (const FinishedHand& hand : finished_) won += outcome(hand, total_of(dealer)) * hand.stake;
    return won;
  }

 private:
  void finish(const Cards& cards, int stake) { finished_.push_back({total_of(cards), stake}); }

  void decide(Cards cards) {
    const auto total = static_cast<std::size_t>(total_of(cards));
    if (total >= 21) return finish(cards, blackjack::kBet);
    const auto& table = has_usable_ace(cards) ? strategy_.soft : strategy_.hard;
    const bool may_double = cards.size() == 2;
    const Action action = table[total][shown_];
    if (action == blackjack::kStand) return finish(cards, blackjack::kBet);
    if (action == blackjack::kDoubleElseStand && !may_double) {
      return finish(cards, blackjack::kBet);
    }
    cards.push_back(shoe_.deal());
    if (action != blackjack::kHit && may_double) return finish(cards, 2 * blackjack::kBet);
    decide(cards);
  }

  static int outcome(const FinishedHand& hand, int dealer) {
    if (hand.total > 21) return -1;
    if (dealer > 21) return 1;
    return hand.total == dealer ? 0 : hand.total > dealer ? 1 : -1;
  }

  Shoe& shoe_;
  const blackjack::Strategy& strategy_;
  std::size_t shown_ = 0;
  std::vector<FinishedHand> finished_;
};

}  // namespace

blackjack::Strategy basic_strategy() {
  blackjack::Strategy strategy{};
  for (std::size_t shown = 1; shown <= 10; ++shown) {
    const std::size_t column = shown == 1 ? 9 : shown - 2;
    for (std::size_t total = 0; total <= 21; ++total) {
      const std::string_view hard =
          total < 9 ? kHardUpTo8 : kHard9To17[std::min<std::size_t>(total, 17) - 9];
      const std::string_view soft = kSoft12To19[std::clamp<std::size_t>(total, 12, 19) - 12];
      strategy.hard[total][shown] = action_of(hard[column]);
      strategy.soft[total][shown] = action_of(soft[column]);
    }
    for (std::size_t card = 1; card <= 10; ++card) {
      strategy.split[card][shown] = kPairs[card - 1][column] == 'P';
    }
  }
  return strategy;
}

TableResult play(const blackjack::Generator& seed, const blackjack::Strategy& strategy,
                 int rounds) {
  Shoe shoe(seed);
  TableResult played;
  for (int round = 0; round < rounds; ++round) {
    shoe.shuffle_if_due();
    played.winnings += Round(shoe, strategy).play();
  }
  played.cards_dealt = shoe.dealt();
  return played;
}

}  // namespace heddle::workload::blackjack_reference
