#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "blackjack_reference.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::blackjack_host {
namespace {

using blackjack::kBlock;
using blackjack::kResidentBlock;

struct Shape {
  int tables;
  int rounds;
};

Shape shape_of(GridChoice grid, Size size) {
  // Chosen for about as many thread instructions as the large-warps paper ran: 100 to 200 million.
  if (grid == GridChoice::resident && size == Size::medium) return {3'072, 100};
  switch (size) {
    case Size::tiny:
      return {150, 5};
    case Size::small:
      return {500, 50};
    case Size::medium:
      return {1'500, 100};
    case Size::large:
    case Size::paper:
      return {9'000, 180};
  }
  return {};
}

// The house edge and the standard deviation of a round, as fractions of a bet, under the rules in
// README.md. We measured both with 10^8 rounds on the host.
constexpr double kHouseEdge = 0.0048;
constexpr double kDeviationOfRound = 1.15;

class Blackjack final : public HostProgram {
 public:
  Blackjack(GridChoice grid, Size size, std::uint64_t seed)
      : grid_(grid), shape_(shape_of(grid, size)) {
    Random random(seed);
    const auto random_word = [&random] { return static_cast<std::uint32_t>(random.next() >> 32); };
    for (int i = 0; i < shape_.tables; ++i) {
      // A state of all zeros would be a fixed point of the generator.
      generators_.push_back({random_word(), random_word(), random_word(), random_word() | 1});
    }
  }

  void run(Gpu& device) override {
    const auto generators = device.upload(generators_, "generators");
    const auto winnings = device.allocate<std::int32_t>(generators_.size(), "winnings");
    const auto cards_dealt = device.allocate<std::int32_t>(generators_.size(), "cards_dealt");
    if (grid_ == GridChoice::resident) {
      const auto strategy = device.upload(std::vector{strategy_}, "strategy");
      const LaunchShape shape =
          device.resident_shape("play_blackjack_resident", kResidentBlock, generators_.size());
      device.launch("play_blackjack_resident", shape, generators, strategy, shape_.rounds,
                    shape_.tables, winnings, cards_dealt);
    } else {
      device.write_symbol("strategy", strategy_);
      const auto tables = static_cast<std::uint32_t>(shape_.tables);
      device.launch("play_blackjack", {.grid = {(tables + kBlock - 1) / kBlock}, .block = {kBlock}},
                    generators, shape_.rounds, shape_.tables, winnings, cards_dealt);
    }
    winnings_ = device.download(winnings);
    cards_dealt_ = device.download(cards_dealt);
  }

  CheckResult check() const override {
    std::vector<std::int32_t> winnings;
    std::vector<std::int32_t> cards_dealt;
    for (const blackjack::Generator& generator : generators_) {
      const auto played = blackjack_reference::play(generator, strategy_, shape_.rounds);
      winnings.push_back(played.winnings);
      cards_dealt.push_back(played.cards_dealt);
    }
    CheckResult check;
    check.exact("winnings", winnings_, winnings);
    check.exact("cards dealt", cards_dealt_, cards_dealt);
    check_edge(check);
    return check;
  }

 private:
  /// Checks the house edge, because the device and the host could have the same error.
  void check_edge(CheckResult& check) const {
    const double rounds = static_cast<double>(shape_.tables) * shape_.rounds;
    double lost = 0;
    for (const std::int32_t won : winnings_) lost -= won;
    const double edge = lost / blackjack::kBet / rounds;
    // Only one seed in two million is off by more than five standard errors.
    const double tolerance = 5 * kDeviationOfRound / std::sqrt(rounds);
    check.require(std::abs(edge - kHouseEdge) <= tolerance, "house edge",
                  fmt::format("{:.3f} %", edge * 100),
                  fmt::format("{:.3f} % +- {:.3f} %", kHouseEdge * 100, tolerance * 100));
  }

  GridChoice grid_;
  Shape shape_;
  blackjack::Strategy strategy_ = blackjack_reference::basic_strategy();
  std::vector<blackjack::Generator> generators_;
  std::vector<std::int32_t> winnings_;
  std::vector<std::int32_t> cards_dealt_;
};

const Registration kRegistration({
    .name = "blackjack",
    .summary = "The house edge at blackjack, by playing many rounds",
    .papers = {"large-warps Table 2"},
    .kernels = {{"play_blackjack", {kBlock}}},
    .make = make_form<Blackjack, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"play_blackjack_resident", {kResidentBlock}}},
                             .make = make_form<Blackjack, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::blackjack_host
