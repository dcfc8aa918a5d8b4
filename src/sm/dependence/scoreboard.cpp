#include <algorithm>
#include <array>
#include <vector>

#include "sm/dependence/dependence.h"

namespace heddle::sm {
namespace {

/// When a register can be used, and what is waited for until then. In one word with the cycle on
/// top, so that the latest of several is the largest word; of two that come together, the cause
/// that is later in StallCause, the slower one, is named.
class Availability {
 public:
  constexpr Availability() = default;
  constexpr Availability(Cycle at, StallCause cause)
      : bits_(at.number << kCauseBits | static_cast<std::uint64_t>(cause)) {}

  constexpr Cycle at() const {
    const std::uint64_t number = bits_ >> kCauseBits;
    return number == kNever ? Cycle::never() : Cycle(number);
  }
  constexpr StallCause cause() const {
    return static_cast<StallCause>(bits_ & ((std::uint64_t{1} << kCauseBits) - 1));
  }
  friend constexpr auto operator<=>(Availability, Availability) = default;

 private:
  static constexpr int kCauseBits = 4;
  static constexpr std::uint64_t kNever = Cycle::never().number >> kCauseBits;
  static_assert(kStallCauses <= 1 << kCauseBits);

  std::uint64_t bits_ = static_cast<std::uint64_t>(StallCause::wait);
};

/// Waits for what an instruction reads (RAW) and for what it writes (WAW), and for nothing else.
/// Registers are read in order, at issue, so a later write cannot overtake a read (WAR).
class Scoreboard final : public Dependence {
 public:
  void start(WarpSlot warp) override {
    Warp& state = warps_[warp];
    const auto clear = [&](std::size_t first, std::size_t end) {
      std::fill(state.entries.begin() + static_cast<std::ptrdiff_t>(first),
                state.entries.begin() + static_cast<std::ptrdiff_t>(end), Availability());
    };
    clear(0, state.registers_end);
    clear(kFirstPredicate, state.predicates_end);
    state.registers_end = 0;
    state.predicates_end = kFirstPredicate;
  }
  void issue(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction, Cycle,
             Cycle done, StallCause cause) override {
    Warp& state = warps_[warp];
    for (const std::uint16_t entry : table.writes(instruction)) {
      state.entries[entry] = Availability(done, cause);
      std::size_t& end = entry < kFirstPredicate ? state.registers_end : state.predicates_end;
      end = std::max(end, std::size_t{entry} + 1);
    }
  }
  void complete(WarpSlot warp, const IssueTable& table, const IssueInfo& instruction,
                Cycle done) override {
    Warp& state = warps_[warp];
    for (const std::uint16_t entry : table.writes(instruction)) {
      state.entries[entry] = Availability(done, state.entries[entry].cause());
    }
  }
  Readiness ready(WarpSlot warp, const IssueTable& table, const IssueInfo& next) const override {
    const Warp& state = warps_[warp];
    Availability latest;
    for (const std::uint16_t entry : table.all(next)) {
      latest = std::max(latest, state.entries[entry]);
    }
    return {latest.at(), latest.cause()};
  }

 private:
  struct Warp {
    std::array<Availability, kScoreboardEntries> entries{};
    // One past the highest that was ever written: what the slot's next warp has to clear, mostly a
    // small part of all.
    std::size_t registers_end = 0;
    std::size_t predicates_end = kFirstPredicate;
  };

  std::vector<Warp> warps_{kMostWarps};
};

const DependenceRegistry::Entry entry{
    "scoreboard", "a warp's next instruction waits for the registers that it reads or writes",
    []() -> std::unique_ptr<Dependence> { return std::make_unique<Scoreboard>(); }};

}  // namespace
}  // namespace heddle::sm
