#pragma once

// A channel with banks, compiled for one scheduling policy. Only files of policies include this
// one.

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "memory/dram/banked_channel.h"
#include "memory/dram/dram_scheduler.h"

namespace heddle::memory {

/// Keeps one candidate for each bank that has requests: the next command for the request that the
/// policy `T` selects. Repeatedly issues the candidate that can issue first.
template <class T>
requires DramScheduler<T>
class BankedChannelOf final : public BankedChannel {
 public:
  explicit BankedChannelOf(const BankedChannelParameters& parameters, const T& policy = {})
      : BankedChannel(parameters), policy_(policy), candidate_of_(banks().size(), kNone) {
    candidates_.reserve(banks().size());
  }

  bool accepts(Cycle now) override {
    run_to(now);
    return !queues().full();
  }
  void add(const DramRequest& request, Cycle arrival) override {
    assert(arrival >= now_);
    run_to(arrival);
    const std::optional<std::uint32_t> changed_bank = enqueue(request, arrival);
    if (!changed_bank) return;
    update_candidate(*changed_bank);
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
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  /// The channel's next step: it issues the command of a candidate or, if `candidate` is kNone,
  /// renews all candidates because the policy's choice for one of them expires.
  struct Decision {
    Cycle at = Cycle::never();
    std::uint32_t candidate = kNone;  ///< An index in candidates_.
  };

  /// Issues all commands before cycle `until`.
  void run_to(Cycle until) {
    while (decision_.at < until) {
      now_ = decision_.at;
      if (decision_.candidate == kNone) {
        for (BankCandidate& candidate : candidates_) choose(candidate);
      } else {
        const BankCandidate issued = candidates_[decision_.candidate];
        issue(issued.command, issued.bank, issued.request, decision_.at);
        ++now_;
        update_candidate(issued.bank);
      }
      decision_ = decide();
    }
    now_ = std::max(now_, until);
  }

  /// Renews a bank's candidate. The bank has none if it has no requests.
  void update_candidate(std::uint32_t bank) {
    std::uint32_t& index = candidate_of_[bank];
    if (queues().oldest(bank) == BankQueues::kNone) {
      if (index != kNone) remove_candidate(std::exchange(index, kNone));
      return;
    }
    if (index == kNone) {
      index = static_cast<std::uint32_t>(candidates_.size());
      candidates_.push_back({.bank = bank});
    }
    choose(candidates_[index]);
  }
  void remove_candidate(std::uint32_t index) {
    // The last candidate takes the free place. Their order does not matter.
    if (index + 1 < candidates_.size()) {
      candidates_[index] = candidates_.back();
      candidate_of_[candidates_[index].bank] = index;
    }
    candidates_.pop_back();
  }
  /// Has the policy choose a request of the candidate's bank.
  void choose(BankCandidate& candidate) const {
    const BankChoice choice = policy_.choose(queues(), candidate.bank, now_);
    const DramBank& bank = banks()[candidate.bank];
    candidate.priority = choice.priority;
    candidate.expires_at = choice.expires_at;
    candidate.request = choice.request;
    candidate.command = bank.needed_for(queues()[choice.request].row);
    candidate.earliest = bank.earliest(candidate.command);
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
    std::uint64_t best = kNone;
    std::uint64_t expires_at = kNever;
    for (std::uint64_t i = 0; i < candidates_.size(); ++i) {
      const BankCandidate& candidate = candidates_[i];
      const bool is_column = candidate.command == DramBank::Command::column;
      const std::uint64_t column_at =
          candidate.priority <= last_priority ? earliest_column : kNever;
      const std::uint64_t at = std::max(candidate.earliest.number, is_column ? column_at : now);
      const bool is_better =
          (at < best_at) | ((at == best_at) & (candidate.priority < best_priority));
      best_at = is_better ? at : best_at;
      best_priority = is_better ? candidate.priority : best_priority;
      best = is_better ? i : best;
      expires_at = std::min(expires_at, candidate.expires_at.number);
    }
    if (expires_at <= best_at) return {.at = Cycle(expires_at), .candidate = kNone};
    return {.at = Cycle(best_at), .candidate = static_cast<std::uint32_t>(best)};
  }

  T policy_;
  std::vector<BankCandidate> candidates_;    ///< One for each bank that has requests.
  std::vector<std::uint32_t> candidate_of_;  ///< By bank: the index of its candidate, or kNone.
  Cycle now_;                                ///< All earlier cycles are simulated.
  Decision decision_;                        ///< The next step if no request arrives before it.
};

}  // namespace heddle::memory
