#include "exec/livelock/memory_watch.h"

#include <algorithm>
#include <cstring>

#include "exec/memory/memory_access.h"

namespace heddle::exec {

void MemoryWatch::add(std::byte* host, std::size_t bytes) {
  ranges_.push_back({host, bytes});
  saved_.insert(saved_.end(), host, host + bytes);
}

bool MemoryWatch::restore() {
  bool is_unchanged = true;
  const std::byte* saved = saved_.data();
  for (const Range& range : ranges_) {
    is_unchanged = is_unchanged && std::memcmp(range.host, saved, range.bytes) == 0;
    std::memcpy(range.host, saved, range.bytes);
    saved += range.bytes;
  }
  return is_unchanged;
}

std::optional<WatchedLocation> watch_access(WarpContext& context, const Decoded& decoded,
                                            MemoryWatch& memory) {
  const code::Instruction& instruction = context.code[decoded.index];
  const auto bytes =
      static_cast<std::uint32_t>(size_of(instruction.type)) * instruction.vector_count;
  const Access access{AccessKind::load, instruction.space, bytes, 1};
  const bool writes = instruction.operation != code::Operation::load;
  std::optional<WatchedLocation> location;
  find_addresses(context, decoded);
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const int lane = remaining.lowest();
    const Target target =
        resolve(context, access, lane, context.address()[static_cast<std::size_t>(lane)]);
    if (target.space != code::Space::global && target.space != code::Space::shared) continue;
    if (writes) memory.add(target.host, bytes);
    if (location) continue;
    location = {.is_atomic = instruction.operation == code::Operation::atomic,
                .is_shared = target.space == code::Space::shared,
                .address = target.offset,
                .bytes = bytes};
    std::memcpy(&location->value, target.host,
                std::min<std::size_t>(bytes, sizeof location->value));
    if (!writes) break;
  }
  return location;
}

}  // namespace heddle::exec
