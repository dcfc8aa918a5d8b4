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
                    "that can be in the unit for global and local memory before their last access");
  parameters.number("address_cycles", address_cycles,
                    {.unit = "core cycles", .least = 0, .most = 1000},
                    "from the issue of an access to global or local memory to its look at the L1");
  parameters.number("request_bytes", request_bytes, {.unit = "B", .least = 32, .most = 4096},
                    "at most in a request to memory, for which a line of the L2 must have room; "
                    "more go in several");
  parameters.number("send_backlog", send_backlog, {.unit = "core cycles", .least = 1},
                    "for which the port to the crossbar may be busy ahead before an access that "
                    "would send more has to wait");
  parameters.flag("shared_pipe", shared_pipe,
                  "whether the scratchpad and the L1 are one memory with one queue, so that an "
                  "access of one takes the other's turn");
}

void CoalescerDescription::declare(config::Declarations& parameters) {
  parameters.number("segment_bytes", shape.segment_bytes, {.unit = "B", .least = 32, .most = 128},
                    "of the aligned pieces that a warp's accesses are made of: 32, 64 or 128");
  parameters.number("sector_bytes", shape.sector_bytes, {.unit = "B", .least = 4, .most = 128},
                    "the grain in which parts of a segment are written, or read past the L1");
  parameters.number("group", shape.group, {.unit = "lanes", .least = 16, .most = 32},
                    "that are looked at together: 16 or 32");
}

void L1Description::declare(config::Declarations& parameters) {
  parameters.flag("present", present, "whether loads of global and local memory are cached");
  cache.declare(parameters);
  parameters.number("sector_bytes", cache.sector_bytes, {.unit = "B", .least = 0, .most = 4096},
                    "of the parts of a line that are fetched by themselves; 0: lines are whole");
  parameters.choice("global_writes", global_writes, write_policy_names(),
                    "what stores to global memory do: go through to memory, evict their line as "
                    "they do so, or stay until it is evicted, with or without making one");
  parameters.choice("local_writes", local_writes, write_policy_names(),
                    "the same of stores to local memory");
}

void ScratchpadDescription::declare(config::Declarations& parameters) {
  parameters.number("banks", shape.banks, {.least = 1, .most = 64}, "a power of two");
  parameters.number("bank_bytes", shape.bank_bytes, {.unit = "B", .least = 4, .most = 16},
                    "of a word of a bank: 4, 8 or 16");
  parameters.number("pass_bytes", shape.pass_bytes, {.unit = "B", .least = 16, .most = 4096},
                    "between the banks and the lanes in a cycle");
  parameters.number("latency", latency, kLatency, "from the last pass of an access to usable data");
  parameters.number("queue", queue, kInstructions, "that can wait for the scratchpad");
}

void LocalDescription::declare(config::Declarations& parameters) {
  parameters.number("private_bytes", private_bytes, {.unit = "B", .least = 0, .most = 65536},
                    "of each thread's local memory that lie in the scratchpad, where a block takes "
                    "room for them and each lane has a bank; the rest goes through the L1");
}

std::uint32_t LocalDescription::bytes_of_block(std::uint32_t warps,
                                               std::uint32_t local_bytes) const {
  const std::uint32_t words = (std::min(private_bytes, local_bytes) + 3) / 4;
  return warps * static_cast<std::uint32_t>(kWarpSize) * words * 4;
}

void ConstantDescription::declare(config::Declarations& parameters) {
  cache.declare(parameters);
  parameters.number("queue", queue, kInstructions,
                    "that can be in the constant unit before their last access");
}

void TextureDescription::declare(config::Declarations& parameters) {
  cache.declare(parameters);
  parameters.number("lanes", lanes, {.unit = "texels a cycle", .least = 1, .most = kWarpSize},
                    "that the texture unit filters: a warp takes 32 of them");
  parameters.number("queue", queue, kInstructions,
                    "that can be in the texture unit before their last access");
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

void LoadStoreDescription::storage(config::StorageList& list) {
  list.add({.name = "l1",
            .bits = "8 * l1.bytes * l1.present",
            .meaning = "its data",
            .source = "the machine"});
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
  const std::uint32_t segment = coalescer.shape.segment_bytes;
  if (l1.present && segment > l1.cache.line_bytes) {
    throw InputError(fmt::format(
        "coalescer.segment_bytes is {} and l1.line_bytes {}: a segment must lie in one line",
        segment, l1.cache.line_bytes));
  }
  if (!std::has_single_bit(lsu.request_bytes)) {
    throw InputError(
        fmt::format("lsu.request_bytes must be a power of two, not {}", lsu.request_bytes));
  }
  if (lsu.request_bytes < coalescer.shape.sector_bytes) {
    throw InputError(fmt::format(
        "lsu.request_bytes is {} and coalescer.sector_bytes {}: a sector must go in one request",
        lsu.request_bytes, coalescer.shape.sector_bytes));
  }
  if (lsu.request_bytes > interleave_bytes) {
    throw InputError(fmt::format(
        "lsu.request_bytes is {}, but only {} bytes follow one another in a partition of memory: "
        "a request must lie in one",
        lsu.request_bytes, interleave_bytes));
  }
}

}  // namespace heddle::sm
