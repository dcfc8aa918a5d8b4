#include "sm/divergence/large_warp.h"

namespace heddle::sm {

void LargeWarp::start(std::span<const StaticWarp> rows) {
  all_rows_.assign(rows.begin(), rows.end());
  std::vector<exec::LargeWarpThreads::Row> executing;
  for (const StaticWarp& row : rows) executing.push_back({.block = row.block, .warp = row.warp});
  state_.start(executing);
}

void LargeWarp::enter() {
  state_.enter();
  rows_.clear();
  for (const std::uint8_t number : state_.running_rows()) {
    rows_.push_back(all_rows_[number]);
    rows_.back().path = LaneMask(rows_.back().warp->context.path_active);
  }
}

}  // namespace heddle::sm
