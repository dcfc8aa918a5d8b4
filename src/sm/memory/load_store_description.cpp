#include "sm/memory/load_store_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/lane_mask.h"
#include "sm/memory/write_policy.h"

namespace heddle::sm {
namespace {

constexpr config::Domain kInstructions{.unit = "warp instructions", .least = 1, .most = 1024};
constexpr config::Domain kLatency{.unit = "core cycles", .least = 1, .most = 10000};

}  // namespace

void LoadStoreQueueDescription::declare(config::Declarations& parameters) {
  parameters.number("queue", queue, kInstructions,
                    "size of the queue for global and local memory; an instruction leaves it with "
                    "its last access");
  parameters.number("address_cycles", address_cycles,
                    {.unit = "core cycles", .least = 0, .most = 1000},
                    "from the issue of an access to global or local memory to its L1 look-up");
  parameters.number("request_bytes", request_bytes, {.unit = "B", .least = 32, .most = 4096},
                    "largest request to memory, at most a line of the L2; larger accesses are "
                    "split");
  parameters.number("send_backlog", send_backlog, {.unit = "core cycles", .least = 1},
                    "how far ahead the port to the crossbar may be booked before an access that "
                    "must send a request waits");
  parameters.flag("shared_pipe", shared_pipe,
                  "whether the scratchpad and the L1 share one memory and one queue, so that their "
                  "accesses take turns");
}

void CoalescerDescription::declare(config::Declarations& parameters) {
  parameters.number("segment_bytes", shape.segment_bytes, {.unit = "B", .least = 32, .most = 128},
                    "size of the aligned segments that a warp's accesses are coalesced into: 32, "
                    "64 or 128");
  parameters.number("sector_bytes", shape.sector_bytes, {.unit = "B", .least = 4, .most = 128},
                    "granularity in which parts of a segment are written, or read if the L1 is "
                    "bypassed");
  parameters.number("group", shape.group, {.unit = "lanes", .least = 16, .most = 32},
                    "lanes that are coalesced together: 16 or 32");
}

void L1Description::declare(config::Declarations& parameters) {
  parameters.flag("present", present, "whether loads of global and local memory are cached");
  cache.declare(parameters);
  parameters.number("sector_bytes", cache.sector_bytes, {.unit = "B", .least = 0, .most = 4096},
                    "size of the sectors of a line, which are fetched separately; 0: a line is one "
                    "sector");
  parameters.part("prefetch", prefetch);
  parameters.choice("global_writes", global_writes, write_policy_names(),
                    "write policy of stores to global memory: write-through, write-through that "
                    "evicts the line, or write-back with or without write-allocate");
  parameters.choice("local_writes", local_writes, write_policy_names(),
                    "write policy of stores to local memory, as global_writes");
}

void ScratchpadDescription::declare(config::Declarations& parameters) {
  parameters.number("banks", shape.banks, {.least = 1, .most = 64},
                    "number of banks; a power of two");
  parameters.number("bank_bytes", shape.bank_bytes, {.unit = "B", .least = 4, .most = 16},
                    "width of a bank: 4, 8 or 16");
  parameters.number("pass_bytes", shape.pass_bytes, {.unit = "B", .least = 16, .most = 4096},
                    "transferred between banks and lanes per cycle");
  parameters.number("latency", latency, kLatency, "from the last pass of an access to usable data");
  parameters.number("queue", queue, kInstructions, "size of the queue of the scratchpad");
}

void LocalDescription::declare(config::Declarations& parameters) {
  parameters.number("private_bytes", private_bytes, {.unit = "B", .least = 0, .most = 65536},
                    "part of each thread's local memory that a block allocates in the scratchpad, "
                    "where each lane has a bank; the rest goes through the L1");
}

std::uint32_t LocalDescription::bytes_of_block(std::uint32_t warps,
                                               std::uint32_t local_bytes) const {
  const std::uint32_t words = (std::min(private_bytes, local_bytes) + 3) / 4;
  return warps * static_cast<std::uint32_t>(kWarpSize) * words * 4;
}

void ConstantDescription::declare(config::Declarations& parameters) {
  cache.declare(parameters);
  parameters.number("queue", queue, kInstructions,
                    "size of the constant unit's queue; an instruction leaves it with its last "
                    "access");
}

void TextureDescription::declare(config::Declarations& parameters) {
  cache.declare(parameters);
  parameters.number("lanes", lanes, {.unit = "texels a cycle", .least = 1, .most = kWarpSize},
                    "throughput of the texture unit: a warp filters 32 texels");
  parameters.number("queue", queue, kInstructions,
                    "size of the texture unit's queue; an instruction leaves it with its last "
                    "access");
}

void LoadStoreDescription::declare(config::Declarations& parameters) {
  parameters.part("lsu", lsu);
  parameters.part("coalescer", coalescer);
  parameters.part("l1", l1);
  parameters.part("scratchpad", scratchpad);
  parameters.part("local", local);
  parameters.part("constant", constant);
  parameters.part("texture", texture);
}

void LoadStoreDescription::storage(config::StorageList& list) const {
  list.add({.name = "l1",
            .bits = "8 * l1.bytes * l1.present",
            .meaning = "its data",
            .source = "the machine"});
  l1.prefetch.storage(list);
  list.add({.name = "constant_cache",
            .bits = "8 * constant.bytes",
            .meaning = "its data",
            .source = "the machine"});
  list.add({.name = "texture_cache",
            .bits = "8 * texture.bytes",
            .meaning = "its data",
            .source = "the machine"});
}

void LoadStoreDescription::check(std::uint32_t interleave_bytes) const {
  l1.prefetch.check();
  if (!l1.present && l1.prefetch.is_present()) {
    throw InputError(
        fmt::format("l1.prefetch.policy is '{}', but l1.present is no: there is no cache to fill",
                    l1.prefetch.policy));
  }
  const std::uint32_t segment = coalescer.shape.segment_bytes;
  if (l1.present && segment > l1.cache.line_bytes) {
    throw InputError(fmt::format(
        "coalescer.segment_bytes is {} and l1.line_bytes is {}: a segment must lie in one line",
        segment, l1.cache.line_bytes));
  }
  if (!std::has_single_bit(lsu.request_bytes)) {
    throw InputError(
        fmt::format("lsu.request_bytes must be a power of two, not {}", lsu.request_bytes));
  }
  if (lsu.request_bytes < coalescer.shape.sector_bytes) {
    throw InputError(fmt::format(
        "lsu.request_bytes is {} and coalescer.sector_bytes is {}: a request must hold a sector",
        lsu.request_bytes, coalescer.shape.sector_bytes));
  }
  if (lsu.request_bytes > interleave_bytes) {
    throw InputError(fmt::format(
        "lsu.request_bytes is {}: it must be at most {}, the number of consecutive bytes in a "
        "memory partition, because a request goes to one partition",
        lsu.request_bytes, interleave_bytes));
  }
  if (l1.present) l1.cache.replacement.check("l1", l1.cache.ways);
  constant.cache.replacement.check("constant", constant.cache.ways);
  texture.cache.replacement.check("texture", texture.cache.ways);
}

}  // namespace heddle::sm
