#include "memory/dram/dram_description.h"

#include "base/error.h"
#include "memory/dram/banked_channel.h"
#include "memory/dram/fixed_channel.h"

namespace heddle::memory {
namespace {

constexpr config::Domain kCycles{.unit = "DRAM cycles", .least = 0, .most = 100000};
constexpr config::Domain kSomeCycles{.unit = "DRAM cycles", .least = 1, .most = 100000};

PortParameters bandwidth_of(const DramDescription& description) {
  return {.bytes = description.bandwidth_bytes, .cycles = description.bandwidth_cycles};
}

BankedChannelParameters banked(const DramDescription& description, DramScheduler scheduler) {
  return {.map = {.channels = 1,  // Of which the addresses are.
                  .interleave_bytes = description.row_bytes,
                  .banks = description.banks,
                  .row_bytes = description.row_bytes,
                  .hash_banks = description.hash_banks},
          .timing = {.cas_latency = Cycles(description.cas_latency),
                     .precharge = Cycles(description.precharge),
                     .row_to_column = Cycles(description.activate),
                     .row_active = Cycles(description.active),
                     .row_cycle = Cycles(description.row_cycle),
                     .write_recovery = Cycles(description.write_recovery)},
          .bandwidth = bandwidth_of(description),
          .transaction_bytes = description.transaction_bytes,
          .queue_entries = description.queue_entries,
          .scheduler = scheduler,
          .age_limit = Cycles(description.age_limit),
          .overhead = Cycles(description.overhead)};
}

}  // namespace

void DramDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, {"fixed", "fcfs", "fr-fcfs"},
                    "how memory answers: after a fixed latency, or from banks with open rows, in "
                    "order or hits of open rows first");
  parameters.number("latency", latency, kCycles,
                    "fixed: from a request's arrival at the channel to its first byte");
  parameters.number("bandwidth_bytes", bandwidth_bytes, {.unit = "B", .least = 1},
                    "that the channel's pins carry in bandwidth_cycles");
  parameters.number("bandwidth_cycles", bandwidth_cycles, kSomeCycles,
                    "in which the channel's pins carry bandwidth_bytes");
  parameters.number("transaction_bytes", transaction_bytes,
                    {.unit = "B", .least = 1, .most = 65536},
                    "that pass the pins at once, a power of two: less is rounded up");
  parameters.number(
      "queue_entries", queue_entries, {.least = 1, .most = 65536},
      "requests that the channel holds: until their data's turn on the pins, or where "
      "latency is fixed, until they are done");
  parameters.number("banks", banks, {.least = 1, .most = 1024}, "of a channel, a power of two");
  parameters.number("row_bytes", row_bytes, {.unit = "B", .least = 64, .most = 1 << 20},
                    "of a row of a bank, a power of two");
  parameters.flag("hash_banks", hash_banks,
                  "whether the low bits of the row change the bank, so that strides of whole rows "
                  "go round the banks");
  parameters.number("cas_latency", cas_latency, kSomeCycles,
                    "tCL: from the column command to the first byte");
  parameters.number("precharge", precharge, kSomeCycles,
                    "tRP: from closing a row to opening another");
  parameters.number("activate", activate, kSomeCycles,
                    "tRCD: from opening a row to the column command");
  parameters.number("active", active, kCycles, "tRAS: from opening a row to closing it, at least");
  parameters.number("row_cycle", row_cycle, kCycles,
                    "tRC: from opening a row to opening another of the bank, at least; 0: tRAS + "
                    "tRP");
  parameters.number("write_recovery", write_recovery, kCycles,
                    "tWR: from a write's last byte to closing its row");
  parameters.number("age_limit", age_limit, kCycles,
                    "fr-fcfs: who has waited so long goes before all hits; 0: no limit");
  parameters.number("overhead", overhead, kCycles,
                    "that each answer takes besides: the controller and the way to the L2");
}

std::unique_ptr<DramChannel> make_channel(const DramDescription& description) {
  if (description.policy == "fixed") {
    return std::make_unique<FixedChannel>(
        FixedChannelParameters{.latency = Cycles(description.latency + description.overhead),
                               .bandwidth = bandwidth_of(description),
                               .transaction_bytes = description.transaction_bytes,
                               .queue_entries = description.queue_entries});
  }
  if (description.policy == "fcfs") {
    return std::make_unique<BankedChannel>(banked(description, DramScheduler::fcfs));
  }
  if (description.policy == "fr-fcfs") {
    return std::make_unique<BankedChannel>(banked(description, DramScheduler::fr_fcfs));
  }
  throw InputError("dram.policy is fixed, fcfs or fr-fcfs, not " + description.policy);
}

}  // namespace heddle::memory
