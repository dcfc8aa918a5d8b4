#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "memory/dram/banked_dram.h"
#include "memory/dram/fr_fcfs.h"

namespace heddle::memory {

/// The parameters of a channel with banks. Only the policy fr-fcfs uses `age_limit`.
struct BankedChannelSetup {
  AddressMapParameters map{};
  DramTiming timing{};
  PortParameters bandwidth{16, 1};
  std::uint32_t transaction_bytes = 32;
  std::uint32_t queue_entries = 32;
  Cycles overhead{0};
  std::string policy = "fr-fcfs";
  Cycles age_limit{0};

  /// Constructs the channel.
  std::unique_ptr<DramChannel> make() const {
    const auto number = [](Cycles cycles) { return static_cast<std::uint32_t>(cycles.count); };
    DramDescription dram{.policy = policy,
                         .bandwidth_bytes = bandwidth.bytes,
                         .bandwidth_cycles = bandwidth.cycles,
                         .transaction_bytes = transaction_bytes,
                         .queue_entries = queue_entries,
                         .overhead = number(overhead)};
    dram.policy_parameters.get<BankedDramParameters>() = {
        .banks = map.banks,
        .row_bytes = map.row_bytes,
        .hash_banks = map.hash_banks,
        .cas_latency = number(timing.cas_latency),
        .precharge = number(timing.precharge),
        .activate = number(timing.row_to_column),
        .active = number(timing.row_active),
        .row_cycle = number(timing.row_cycle),
        .write_recovery = number(timing.write_recovery)};
    dram.policy_parameters.get<FrFcfsParameters>().age_limit = number(age_limit);
    return make_channel(dram);
  }
};

}  // namespace heddle::memory
