#include "memory/dram/banked_dram.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/quantity.h"
#include "memory/partition/partition_description.h"

namespace heddle::memory {

void BankedDramParameters::declare(config::Declarations& parameters) {
  constexpr config::Domain kCycles{.unit = "DRAM cycles", .least = 0, .most = 100000};
  constexpr config::Domain kSomeCycles{.unit = "DRAM cycles", .least = 1, .most = 100000};
  parameters.number("banks", banks, {.least = 1, .most = 1024},
                    "banks of a channel, a power of two");
  parameters.number("row_bytes", row_bytes, {.unit = "B", .least = 64, .most = 1 << 20},
                    "size of a row of a bank, a power of two");
  parameters.flag("hash_banks", hash_banks,
                  "whether all bits of the row are hashed into the bank, so that accesses with a "
                  "stride of whole rows use different banks");
  parameters.number("cas_latency", cas_latency, kSomeCycles,
                    "tCL: from the column command to the first byte");
  parameters.number("precharge", precharge, kSomeCycles,
                    "tRP: from closing a row (precharge) to opening another (activation)");
  parameters.number("activate", activate, kSomeCycles,
                    "tRCD: from opening a row to its first column command");
  parameters.number("active", active, kCycles, "tRAS: least time from opening a row to closing it");
  parameters.number("row_cycle", row_cycle, kCycles,
                    "tRC: least time from opening a row to opening another row of the bank; 0: "
                    "tRAS + tRP");
  parameters.number("write_recovery", write_recovery, kCycles,
                    "tWR: from a write's last byte to closing its row");
}

void BankedDramParameters::check(const PartitionDescription& partition) const {
  if (!partition.l2.present || partition.l2.line_bytes <= row_bytes) return;
  throw InputError(
      fmt::format("a DRAM row (dram.row_bytes, {}) must hold an L2 line (l2.line_bytes, {})",
                  row_bytes, partition.l2.line_bytes));
}

DramProperties BankedDramParameters::properties(const DramDescription&) const {
  return {.rows = DramRows{.banks = banks, .bytes = row_bytes, .hash_banks = hash_banks},
          .latency = cas_latency,
          .conflict_latency = precharge + activate + cas_latency,
          .sketch = {count_text(banks, "bank") + ", rows of " + bytes_text(row_bytes),
                     fmt::format("tCL {}, tRCD {}, tRP {}, tRAS {}", cas_latency, activate,
                                 precharge, active)}};
}

BankedChannelParameters BankedDramParameters::channel(const DramDescription& dram) const {
  return {.map = {.channels = 1,  // Addresses are local to the channel.
                  .interleave_bytes = row_bytes,
                  .banks = banks,
                  .row_bytes = row_bytes,
                  .hash_banks = hash_banks},
          .timing = {.cas_latency = Cycles(cas_latency),
                     .precharge = Cycles(precharge),
                     .row_to_column = Cycles(activate),
                     .row_active = Cycles(active),
                     .row_cycle = Cycles(row_cycle),
                     .write_recovery = Cycles(write_recovery)},
          .bandwidth = {.bytes = dram.bandwidth_bytes, .cycles = dram.bandwidth_cycles},
          .transaction_bytes = dram.transaction_bytes,
          .queue_entries = dram.queue_entries,
          .overhead = Cycles(dram.overhead)};
}

}  // namespace heddle::memory
