#pragma once

// Where threads are in time, for messages about launches that do not end.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/fault/standing.h"
#include "sm/residents.h"
#include "sm/warp_table.h"

namespace heddle::sm {

/// What a slot's threads are about, and since when.
struct SlotStanding {
  std::string what;
  std::optional<std::uint64_t> since;
};
SlotStanding standing_of(const WarpTable& warps, WarpSlot warp);

constexpr bool has_ended(WarpState state) {
  return state == WarpState::ending || state == WarpState::awaits_last_one ||
         state == WarpState::ended;
}
/// each(warp) for those that have something to execute, or wait for others.
template <class Each>
void for_each_unended(const WarpTable& warps, Each each) {
  for_each_warp(warps.all() & ~warps.free(), [&](WarpSlot warp) {
    if (!has_ended(warps[warp].state)) each(warp);
  });
}
/// Whether one is about to end, which others may have waited for.
bool is_any_ending(const WarpTable& warps);

/// Adds the warps of resident blocks that wait for room.
void add_unstarted(const Residents& residents, std::vector<exec::Standing>& standings);

}  // namespace heddle::sm
