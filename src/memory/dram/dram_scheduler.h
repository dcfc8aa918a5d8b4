#pragma once

// What a channel with banks (banked_channel_of.h) asks its policy: which request goes next.

#include <concepts>
#include <cstdint>
#include <span>

#include "base/cycle.h"
#include "memory/dram/bank_queues.h"
#include "memory/dram/dram_bank.h"

namespace heddle::memory {

constexpr std::uint64_t kLastRank = ~std::uint64_t{0};

/// Which of a bank's requests has the bank's next command.
struct BankChoice {
  std::uint32_t request = BankQueues::kNone;  ///< The bank's oldest request, or its hit.
  std::uint64_t rank = kLastRank;  ///< Among the banks with a command in a cycle the lowest goes.
  Cycle holds_until = Cycle::never();  ///< Then time alone changes the choice.
};

/// The choice of policies under which a bank serves its own requests in order.
inline BankChoice choose_oldest(const BankQueues& queues, std::uint32_t bank) {
  const std::uint32_t oldest = queues.first(bank);
  return {.request = oldest, .rank = queues[oldest].order};
}

/// A bank's next command, for the request that the policy has chosen.
struct BankCandidate {
  Cycle from = Cycle::never();  ///< When the bank can take the command; never: no request.
  std::uint64_t rank = kLastRank;
  Cycle holds_until = Cycle::never();
  std::uint32_t request = BankQueues::kNone;
  DramBank::Command command{};
};

/// The channel is compiled for each policy.
template <class T>
concept DramScheduler = requires(const T& policy, const BankQueues& queues, std::uint32_t bank,
                                 Cycle now, std::span<const BankCandidate> candidates) {
  /// Asked of a bank that has requests: whenever its oldest request, its hit or its row may have
  /// changed, and of all banks when the choice of one holds no longer. It depends on nothing else.
  { policy.choose(queues, bank, now) } -> std::same_as<BankChoice>;
  /// Requests of a higher rank give no column command now: their data must not pass yet.
  { policy.last_to_transfer(candidates) } -> std::same_as<std::uint64_t>;
};

}  // namespace heddle::memory
