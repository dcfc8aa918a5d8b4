#include "memory/partition/partition_description.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "memory/dram/address_map.h"

namespace heddle::memory {

void MemoryDescription::declare(config::Declarations& parameters) {
  parameters.number("partitions", partitions, {.least = 1, .most = 1024},
                    "memory partitions, each with an L2 slice and a DRAM channel");
  parameters.number("interleave_bytes", interleave_bytes,
                    {.unit = "B", .least = 32, .most = 1 << 20},
                    "of consecutive addresses in one partition, a power of two");
  parameters.number("queue", queue, {.least = 1, .most = 65536},
                    "requests that can wait in a partition for space in the channel's own queue; "
                    "if it is full, a request that needs memory stalls, and so do all later ones");
}

void L2Description::declare(config::Declarations& parameters) {
  parameters.flag("present", present, "whether there is an L2; if not, all requests go to DRAM");
  parameters.number("bytes", bytes, {.unit = "B", .least = 1024, .most = 1 << 28},
                    "capacity of a slice");
  parameters.number("line_bytes", line_bytes, {.unit = "B", .least = 16, .most = 4096},
                    "size of a line, a power of two");
  parameters.number("sector_bytes", sector_bytes, {.unit = "B", .least = 4, .most = 4096},
                    "size of a sector, the unit of fetches, a power of two; equal to line_bytes: "
                    "no sectors");
  parameters.number("ways", ways, {.least = 1, .most = 256}, "associativity: lines in a set");
  parameters.part("replacement", replacement);
  parameters.number("latency", latency, {.unit = "core cycles", .least = 0, .most = 100000},
                    "from an access that hits to its data");
  parameters.number("interval", interval, {.unit = "core cycles", .least = 1, .most = 1024},
                    "between the starts of two accesses");
  parameters.number("mshrs", mshrs, {.least = 1, .most = 65536},
                    "miss status holding registers: lines of a slice that can be in flight");
  parameters.number("merges", merges, {.least = 1, .most = 65536},
                    "requests that can wait for one line, including the first");
  parameters.choice("write", write, {"back", "through"},
                    "back: written data stay until their line is evicted (write-back, allocating); "
                    "through: they go to DRAM at once and allocate no line");
}

void AtomicDescription::declare(config::Declarations& parameters) {
  parameters.number("interval", interval, {.unit = "core cycles", .least = 1, .most = 1024},
                    "that an atomic occupies the partition's unit for each lane of a warp with the "
                    "same address");
}

void PartitionDescription::declare(config::Declarations& parameters) {
  parameters.part("memory", memory);
  parameters.part("l2", l2);
  parameters.part("atomic", atomic);
  parameters.part("dram", dram);
}

void PartitionDescription::storage(config::StorageList& list) {
  list.add({.name = "l2",
            .bits = "8 * l2.bytes * l2.present",
            .meaning = "the data of a slice",
            .source = "the machine"});
}

void PartitionDescription::check() const {
  if (l2.write != "back" && l2.write != "through") {
    throw InputError("l2.write must be back or through, not " + l2.write);
  }
  if (memory.queue == 0) throw InputError("memory.queue must have space for at least one request");
  if (l2.present && l2.line_bytes > memory.interleave_bytes) {
    throw InputError(
        fmt::format("an L2 line (l2.line_bytes, {}) must lie in one partition, but partitions are "
                    "interleaved every {} bytes (memory.interleave_bytes)",
                    l2.line_bytes, memory.interleave_bytes));
  }
  if (l2.present) l2.replacement.check("l2", l2.ways);
  dram.check(*this);
}

std::uint32_t PartitionDescription::block_bytes() const {
  if (l2.present) return l2.line_bytes;
  const std::optional<DramRows> rows = dram.properties().rows;
  return rows ? std::min(memory.interleave_bytes, rows->bytes) : memory.interleave_bytes;
}

AddressMap address_map(const PartitionDescription& description) {
  const DramRows rows = description.dram.properties().rows.value_or(DramRows{});
  return AddressMap({.channels = description.memory.partitions,
                     .interleave_bytes = description.memory.interleave_bytes,
                     .banks = rows.banks,
                     .row_bytes = rows.bytes,
                     .hash_banks = rows.hash_banks});
}

}  // namespace heddle::memory
