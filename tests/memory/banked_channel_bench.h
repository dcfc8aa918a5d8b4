#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "memory/banked_channel_setup.h"

namespace heddle::memory {

// The channel of most tests of DRAM timing. In DRAM cycles: tCL 10, tRP 10, tRCD 12, tRAS 30,
// tWR 15. 64 bytes take 4 cycles of the data bus. Comments in the tests say in which cycles
// commands issue and data pass: "activate 100, column 112, data 122..125".
constexpr std::uint32_t kRowBytes = 2048;
constexpr std::uint32_t kBanks = 8;

inline BankedChannelSetup channel_setup(const std::string& policy = "fr-fcfs") {
  return {.map = {.banks = kBanks, .row_bytes = kRowBytes},
          .timing = {.cas_latency = Cycles(10),
                     .precharge = Cycles(10),
                     .row_to_column = Cycles(12),
                     .row_active = Cycles(30),
                     .write_recovery = Cycles(15)},
          .bandwidth = {16, 1},
          .transaction_bytes = 64,
          .policy = policy};
}

inline std::uint64_t address_in(std::uint64_t bank, std::uint64_t row, std::uint64_t column = 0) {
  return (row * kBanks + bank) * kRowBytes + column;
}

/// A channel whose requests are identified by letters.
class Bench {
 public:
  explicit Bench(const BankedChannelSetup& parameters) : channel(parameters.make()) {}

  void read(char name, std::uint64_t address, std::uint64_t arrival, std::uint32_t bytes = 64) {
    channel->add({.address = address,
                  .is_write = false,
                  .bytes = bytes,
                  .token = static_cast<std::uint32_t>(name)},
                 Cycle(arrival));
  }
  void write(char name, std::uint64_t address, std::uint64_t arrival) {
    channel->add({.address = address,
                  .is_write = true,
                  .bytes = 64,
                  .token = static_cast<std::uint32_t>(name)},
                 Cycle(arrival));
  }
  /// Simulates the channel until all requests are complete. Returns their completion times.
  std::map<char, std::uint64_t> done() {
    std::vector<DramCompletion> completions;
    channel->advance(Cycle(1'000'000), completions);
    std::map<char, std::uint64_t> times;
    for (const DramCompletion& completion : completions) {
      times[static_cast<char>(completion.token)] = completion.at.number;
    }
    return times;
  }

  std::unique_ptr<DramChannel> channel;
};

using Times = std::map<char, std::uint64_t>;

}  // namespace heddle::memory
