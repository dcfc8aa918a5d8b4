#include "memory/partition/partition_description.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "memory/dram/address_map.h"

namespace heddle::memory {

void MemoryDescription::declare(config::Declarations& parameters) {
  parameters.number("partitions", partitions, {.least = 1, .most = 1024},
                    "of memory, each with a slice of the L2 and a channel of DRAM");
  parameters.number("interleave_bytes", interleave_bytes,
                    {.unit = "B", .least = 32, .most = 1 << 20},
                    "that lie in one partition, a power of two, before the next one's");
  parameters.number("queue", queue, {.least = 1, .most = 65536},
                    "requests of a partition that wait for a place in the channel's own queue; "
                    "while it is full, a request that needs memory waits, and all that come later");
}

void L2Description::declare(config::Declarations& parameters) {
  parameters.flag("present", present, "whether there is an L2; if not, all goes to the DRAM");
  parameters.number("bytes", bytes, {.unit = "B", .least = 1024, .most = 1 << 28}, "of a slice");
  parameters.number("line_bytes", line_bytes, {.unit = "B", .least = 16, .most = 4096},
                    "of a line, a power of two");
  parameters.number("sector_bytes", sector_bytes, {.unit = "B", .least = 4, .most = 4096},
                    "that are fetched by themselves, a power of two; as a line: no sectors");
  parameters.number("ways", ways, {.least = 1, .most = 256}, "of a set");
  parameters.number("latency", latency, {.unit = "core cycles", .least = 0, .most = 100000},
                    "from the access to its data, where it hits");
  parameters.number("interval", interval, {.unit = "core cycles", .least = 1, .most = 1024},
                    "from one access to the next");
  parameters.number("mshrs", mshrs, {.least = 1, .most = 65536},
                    "lines that a slice fetches at a time");
  parameters.number("merges", merges, {.least = 1, .most = 65536},
                    "requests that can wait for one line, the first included");
  parameters.choice("write", write, {"back", "through"},
                    "back: what is written stays until its line is evicted; through: it goes to "
                    "the DRAM at once, and makes no line");
}

void AtomicDescription::declare(config::Declarations& parameters) {
  parameters.number("interval", interval, {.unit = "core cycles", .least = 1, .most = 1024},
                    "that an atomic takes of a partition's unit, for each lane of a warp that has "
                    "the same address");
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
    throw InputError("l2.write is back or through, not " + l2.write);
  }
  if (memory.queue == 0) throw InputError("memory.queue must have room for one request at least");
  if (l2.present && l2.line_bytes > memory.interleave_bytes) {
    throw InputError(
        fmt::format("a line of the L2 (l2.line_bytes, {}) must lie in one partition, which has "
                    "{} bytes at a time (memory.interleave_bytes)",
                    l2.line_bytes, memory.interleave_bytes));
  }
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
