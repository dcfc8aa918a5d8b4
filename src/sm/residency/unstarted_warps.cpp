#include "sm/residency/unstarted_warps.h"

namespace heddle::sm {

void add_unstarted(const ResidentBlocks& residents, std::vector<exec::WarpStatus>& statuses) {
  residents.for_each([&](const ResidentBlock& resident) {
    for (std::uint32_t w = resident.started_count; w < resident.grid->needs.warps; ++w) {
      statuses.push_back({.block = resident.block.get(),
                          .warp = w,
                          .lanes = {},
                          .pc = resident.grid->launch->info().entry,
                          .what = "not started, as there is no room for it"});
    }
  });
}

}  // namespace heddle::sm
