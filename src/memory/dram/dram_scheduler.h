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

/// The priority that is served last. Priorities are numbers; the lowest is served first.
constexpr std::uint64_t kLastPriority = ~std::uint64_t{0};

/// The request of a bank that gets the bank's next command.
struct BankChoice {
  /// The index of the bank's oldest request, or of its hit (BankQueues).
  std::uint32_t request = BankQueues::kNone;
  /// If several banks could issue in a cycle, the one with the lowest number does. Requests in the
  /// queue have different priorities.
  std::uint64_t priority = kLastPriority;
  /// The cycle in which the policy must choose again even if the bank's state has not changed.
  Cycle expires_at = Cycle::never();
};

/// Returns the choice of policies in which each bank serves its own requests in order.
inline BankChoice choose_oldest(const BankQueues& queues, std::uint32_t bank) {
  const std::uint32_t oldest = queues.oldest(bank);
  return {.request = oldest, .priority = queues[oldest].order};
}

/// A bank's next command, for the request that the policy has selected.
struct BankCandidate {
  std::uint32_t bank = 0;
  /// The first cycle in which the bank can take the command.
  Cycle earliest = Cycle::never();
  std::uint64_t priority = kLastPriority;
  Cycle expires_at = Cycle::never();
  std::uint32_t request = BankQueues::kNone;
  DramBank::Command command{};
};

/// A scheduling policy. It is a concept, not a class, because the channel is compiled for each
/// policy.
template <class T>
concept DramScheduler = requires(const T& policy, const BankQueues& queues, std::uint32_t bank,
                                 Cycle now, std::span<const BankCandidate> candidates) {
  /// Selects a request of a bank that has requests. Called whenever the bank's oldest request, its
  /// hit or its open row may have changed, and for all banks when a choice expires. The result may
  /// depend only on the oldest request, the hit, the open row, and `now`.
  { policy.choose(queues, bank, now) } -> std::same_as<BankChoice>;
  /// Returns the last priority, that is, the highest number, with which a request may issue a
  /// column command.
  { policy.last_priority_to_transfer(candidates) } -> std::same_as<std::uint64_t>;
};

}  // namespace heddle::memory
