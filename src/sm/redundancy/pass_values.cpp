#include "sm/redundancy/pass_values.h"

#include "sm/threads/packed_threads.h"

namespace heddle::sm {

PassValues::PassValues(WarpSlot warp, const Slot& slot, std::span<const StaticWarp> static_warps,
                       const Pass& pass, std::size_t number)
    : warp_(warp),
      slot_(slot),
      any_context_(&static_warps.front().warp->context),
      lanes_(pass.lanes),
      only_(pass.static_warp) {
  if (only_ != nullptr) {
    active_ = lanes_ & LaneMask(only_->warp->context.active);
    return;
  }
  const auto add = [this](const StaticWarp& static_warp, int lane) {
    static_warps_[static_cast<std::size_t>(lane)] = &static_warp;
    active_ = active_ | (LaneMask::of_lane(lane) & LaneMask(static_warp.warp->context.active));
  };
  for_each_packed_thread(static_warps,
                         [&](const StaticWarp& static_warp, int lane, std::size_t pass_number) {
                           if (pass_number == number && lanes_.contains(lane)) {
                             add(static_warp, lane);
                           }
                         });
}

void PassValues::set_value(std::uint16_t number, int lane, std::uint32_t value) const {
  assert(only_ != nullptr);
  const exec::WarpContext& context = only_->warp->context;
  if (number < kFirstPredicate) {
    context.lanes({exec::OperandRef::Base::registers, number})[lane] = value;
    return;
  }
  const exec::PredicateRef predicate{std::uint32_t{number} - kFirstPredicate, false};
  std::uint32_t& bits = context.predicates[predicate.slot()];
  bits = (bits & ~(std::uint32_t{1} << lane)) | (value & 1) << lane;
}

void PassValues::flip(std::uint16_t number, int lane, std::uint32_t bit) const {
  assert(only_ != nullptr);
  const exec::WarpContext& context = only_->warp->context;
  if (number < kFirstPredicate) {
    context.lanes({exec::OperandRef::Base::registers, number})[lane] ^= std::uint32_t{1} << bit;
    return;
  }
  const exec::PredicateRef predicate{std::uint32_t{number} - kFirstPredicate, false};
  context.predicates[predicate.slot()] ^= std::uint32_t{1} << lane;
}

bool PassValues::is_uniform(std::uint16_t number) const {
  if (active_.empty()) return true;
  const std::uint32_t first = value(number, active_.lowest());
  for (LaneMask rest = active_.without_lowest(); !rest.empty(); rest = rest.without_lowest()) {
    if (value(number, rest.lowest()) != first) return false;
  }
  return true;
}

}  // namespace heddle::sm
