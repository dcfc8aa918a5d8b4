#pragma once

// The status of warps, for messages about launches that hang.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/fault/warp_status.h"
#include "sm/residency/resident_blocks.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// What the threads of a slot are doing, and since which cycle, if they wait.
struct SlotStatus {
  std::string what;
  std::optional<std::uint64_t> since;
};
SlotStatus status_of(const WarpTable& warps, WarpSlot warp);

/// Whether the warp has executed its last instruction.
constexpr bool has_ended(WarpState state) {
  return state == WarpState::ending || state == WarpState::awaits_last_access ||
         state == WarpState::ended;
}
/// Calls each(warp) for the warps that have not executed their last instruction.
template <class Each>
void for_each_unended(const WarpTable& warps, Each each) {
  for_each_warp(warps.all() & ~warps.free(), [&](WarpSlot warp) {
    if (!has_ended(warps[warp].state)) each(warp);
  });
}
/// Whether a warp has executed its last instruction but not ended yet. When it ends, other warps
/// may be able to continue.
bool is_any_ending(const WarpTable& warps);

/// Adds the warps of resident blocks that have not started because they wait for space.
void add_unstarted(const ResidentBlocks& residents, std::vector<exec::WarpStatus>& statuses);

}  // namespace heddle::sm
