#include "sm/operands/rows_of_pass.h"

#include "sm/pipeline/packed_threads.h"

namespace heddle::sm {

void RowsOfPass::gather(std::span<const Row> rows) {
  is_gathered_ = true;
  for (auto& pass : gathered_) pass.clear();
  for_each_packed_thread(rows, [this](const Row& row, int lane, std::size_t number) {
    if (number >= gathered_.size()) gathered_.resize(number + 1);
    std::vector<RowLanes>& pass = gathered_[number];
    if (pass.empty() || pass.back().home != row.home)
      pass.push_back({.home = row.home, .path = {}, .active = {}});
    RowLanes& lanes = pass.back();
    lanes.path = lanes.path | LaneMask::of_lane(lane);
  });
  for (auto& pass : gathered_) {
    for (RowLanes& lanes : pass) {
      for (const Row& row : rows) {
        if (row.home == lanes.home) lanes = lanes_of(row, lanes.path);
      }
    }
  }
}

}  // namespace heddle::sm
