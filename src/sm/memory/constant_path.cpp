#include "sm/memory/constant_path.h"

#include <algorithm>
#include <cassert>
#include <cstdint>

#include "sm/memory/touched_pieces.h"

namespace heddle::sm {
namespace {

using trace::kHex;

constexpr std::uint32_t kWordBytes = 4;

const CacheEvents kConstantEvents{
    .hit = {"constant_hit", "as l1_hit", {{"line", kHex}, {"sectors", kHex}}},
    .miss = {"constant_miss", "as l1_miss", {{"line", kHex}, {"sectors", kHex}}},
    .merged = {"constant_merged", "as l1_merged", {{"line", kHex}, {"sectors", kHex}}},
    .stalled = {"constant_stalled", "as l1_stalled", {{"line", kHex}}},
    .fill = {"constant_fill", "as l1_fill", {{"line", kHex}, {"sectors", kHex}}}};

}  // namespace

ConstantPath::ConstantPath(const ConstantDescription& description, SharedParts& shared)
    : CachePath(description.queue, L1Cache(description.cache, "constant"),
                description.cache.line_bytes, kConstantEvents, shared) {}

std::optional<Cycle> ConstantPath::add(const MemoryInstruction& instruction, Cycle at) {
  assert(instruction.action == MemoryAction::load);
  QueuedInstruction& built = draft(instruction, at);
  find_touched_pieces(*instruction.addresses, instruction.lanes,
                      std::max(instruction.bytes_per_lane, kWordBytes), built.segments);
  if (instruction.context == ContextKind::normal) ++shared().counters.constant_loads;
  return enqueue(instruction, built, at);
}

}  // namespace heddle::sm
