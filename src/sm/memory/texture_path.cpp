#include "sm/memory/texture_path.h"

#include <cassert>

#include "sm/memory/touched_pieces.h"

namespace heddle::sm {
namespace {

using trace::kHex;

const CacheEvents kTextureEvents{
    .hit = {"texture_hit", "as l1_hit", {{"line", kHex}, {"sectors", kHex}}},
    .miss = {"texture_miss", "as l1_miss", {{"line", kHex}, {"sectors", kHex}}},
    .merged = {"texture_merged", "as l1_merged", {{"line", kHex}, {"sectors", kHex}}},
    .stalled = {"texture_stalled", "as l1_stalled", {{"line", kHex}}},
    .fill = {"texture_fill", "as l1_fill", {{"line", kHex}, {"sectors", kHex}}}};

}  // namespace

TexturePath::TexturePath(const TextureDescription& description, SharedParts& shared)
    : CachePath(description.queue, L1Cache(description.cache, "texture"),
                description.cache.line_bytes, kTextureEvents, shared),
      line_bytes_(description.cache.line_bytes),
      filter_cycles_((kWarpSize + description.lanes - 1) / description.lanes) {}

std::optional<Cycle> TexturePath::add(const MemoryInstruction& instruction, Cycle at) {
  assert(instruction.action == MemoryAction::load);
  QueuedInstruction& built = draft(instruction, at);
  find_touched_pieces(*instruction.addresses, instruction.lanes, line_bytes_, built.segments);
  built.min_cycles = filter_cycles_;
  ++shared().counters.texture_loads;
  shared().counters.texture_lanes += static_cast<std::uint64_t>(instruction.lanes.count());
  return enqueue(instruction, built, at);
}

}  // namespace heddle::sm
