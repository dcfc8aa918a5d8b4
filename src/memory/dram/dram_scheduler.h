#pragma once

// The interface of DRAM scheduling policies: they select the next request of a channel with banks
// (banked_channel_of.h).

#include <concepts>
#include <cstdint>
#include <span>

#include "base/cycle.h"
#include "memory/dram/bank_queues.h"
#include "memory/dram/dram_bank.h"

namespace heddle::memory {

/// The rank that is served last.
constexpr std::uint64_t kLastRank = ~std::uint64_t{0};

/// The request of a bank that gets the bank's next command.
struct BankChoice {
  /// The index of the bank's oldest request, or of its hit (BankQueues).
  std::uint32_t request = BankQueues::kNone;
  /// If several banks could issue in a cycle, the one with the lowest rank does.
  std::uint64_t rank = kLastRank;
  /// The cycle in which the policy must choose again even if the bank's state has not changed.
  Cycle expires_at = Cycle::never();
};

/// The choice of policies in which a bank serves its own requests in order.
inline BankChoice choose_oldest(const BankQueues& queues, std::uint32_t bank) {
  const std::uint32_t oldest = queues.first(bank);
  return {.request = oldest, .rank = queues[oldest].order};
}

/// A bank's next command, for the request that the policy has selected.
struct BankCandidate {
  /// The first cycle in which the bank can take the command; never() if it has no request.
  Cycle earliest = Cycle::never();
  std::uint64_t rank = kLastRank;
  Cycle expires_at = Cycle::never();
  std::uint32_t request = BankQueues::kNone;
  DramBank::Command command{};
};

/// A scheduling policy. It is a concept because the channel is compiled for each policy.
template <class T>
concept DramScheduler = requires(const T& policy, const BankQueues& queues, std::uint32_t bank,
                                 Cycle now, std::span<const BankCandidate> candidates) {
  /// Selects a request of a bank that has requests. Called whenever the bank's oldest request, its
  /// hit or its open row may have changed, and for all banks when a choice expires. The result may
  /// depend only on these, and on `now`.
  { policy.choose(queues, bank, now) } -> std::same_as<BankChoice>;
  /// The highest rank with which a request may issue a column command now.
  { policy.max_rank_to_transfer(candidates) } -> std::same_as<std::uint64_t>;
};

}  // namespace heddle::memory
