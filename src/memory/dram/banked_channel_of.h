#pragma once

// A channel with banks, compiled for one scheduling policy. Only files of policies include this
// one.

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <vector>

#include "memory/dram/banked_channel.h"
#include "memory/dram/dram_scheduler.h"

namespace heddle::memory {

/// Keeps one candidate for each bank: the next command for the request that the policy `T` selects.
/// Repeatedly issues the candidate that can issue first.
template <class T>
requires DramScheduler<T>
class BankedChannelOf final : public BankedChannel {
 public:
  explicit BankedChannelOf(const BankedChannelParameters& parameters, const T& policy = {})
      : BankedChannel(parameters), policy_(policy), candidates_(banks().size()) {}

  bool accepts(Cycle now) override {
    run_to(now);
    return !queues().full();
  }
  void add(const DramRequest& request, Cycle arrival) override {
    assert(arrival >= now_);
    run_to(arrival);
    const std::optional<std::uint32_t> changed_bank = enqueue(request, arrival);
    if (!changed_bank) return;
    choose_candidate(*changed_bank);
    decision_ = decide();
  }
  void advance(Cycle until, std::vector<DramCompletion>& completions) override {
    run_to(until);
    report_completions(until, completions);
  }
  std::optional<Cycle> next_event() const override {
    Cycle next = Cycle::never();
    if (!completions().empty()) next = completions().front().at;
    if (!queues().empty()) next = std::min(next, decision_.at + Cycles(1));
    if (next == Cycle::never()) return std::nullopt;
    return next;
  }

 private:
  static constexpr std::uint32_t kNoBank = ~std::uint32_t{0};

  /// The channel's next step: it issues the command of a bank's candidate or, if `bank` is kNoBank,
  /// renews all candidates because the policy's choice for one of them expires.
  struct Decision {
    Cycle at = Cycle::never();
    std::uint32_t bank = kNoBank;
  };

  /// Issues all commands before cycle `until`.
  void run_to(Cycle until) {
    while (decision_.at < until) {
      now_ = decision_.at;
      if (decision_.bank == kNoBank) {
        for (std::uint32_t bank = 0; bank < banks().size(); ++bank) choose_candidate(bank);
      } else {
        const BankCandidate& candidate = candidates_[decision_.bank];
        issue(candidate.command, decision_.bank, candidate.request, decision_.at);
        ++now_;
        choose_candidate(decision_.bank);
      }
      decision_ = decide();
    }
    now_ = std::max(now_, until);
  }

  /// Renews a bank's candidate.
  void choose_candidate(std::uint32_t bank) {
    BankCandidate& candidate = candidates_[bank];
    candidate = {};
    if (queues().oldest(bank) == BankQueues::kNone) return;
    const BankChoice choice = policy_.choose(queues(), bank, now_);
    candidate.priority = choice.priority;
    candidate.expires_at = choice.expires_at;
    candidate.request = choice.request;
    candidate.command = banks()[bank].needed_for(queues()[choice.request].row);
    candidate.earliest = banks()[bank].earliest(candidate.command);
  }

  /// Selects the candidate that can issue first. If several can issue in the same cycle, the one
  /// with the lowest priority number is selected. The comparisons have no branches, because the
  /// host's processor could not predict them: any bank may win.
  Decision decide() const {
    const std::uint64_t last_priority = policy_.last_priority_to_transfer(candidates_);
    const std::uint64_t now = now_.number;
    const std::uint64_t earliest_column = std::max(now, earliest_column_for_bus().number);
    constexpr std::uint64_t kNever = Cycle::never().number;

    std::uint64_t best_at = kNever;
    std::uint64_t best_priority = kLastPriority;
    std::uint64_t best_bank = kNoBank;
    std::uint64_t expires_at = kNever;
    for (std::uint64_t bank = 0; bank < candidates_.size(); ++bank) {
      const BankCandidate& candidate = candidates_[bank];
      const bool is_column = candidate.command == DramBank::Command::column;
      const std::uint64_t column_at =
          candidate.priority <= last_priority ? earliest_column : kNever;
      const std::uint64_t at = std::max(candidate.earliest.number, is_column ? column_at : now);
      const bool is_better =
          (at < best_at) | ((at == best_at) & (candidate.priority < best_priority));
      best_at = is_better ? at : best_at;
      best_priority = is_better ? candidate.priority : best_priority;
      best_bank = is_better ? bank : best_bank;
      expires_at = std::min(expires_at, candidate.expires_at.number);
    }
    if (expires_at <= best_at) return {.at = Cycle(expires_at), .bank = kNoBank};
    return {.at = Cycle(best_at), .bank = static_cast<std::uint32_t>(best_bank)};
  }

  T policy_;
  std::vector<BankCandidate> candidates_;  ///< One for each bank.
  Cycle now_;                              ///< All earlier cycles are simulated.
  Decision decision_;                      ///< The next step if no request arrives before it.
};

}  // namespace heddle::memory
