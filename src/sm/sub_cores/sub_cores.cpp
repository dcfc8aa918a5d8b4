#include "sm/sub_cores/sub_cores.h"

namespace heddle::sm {

SubCores::SubCores(const SmDescription& description, InstructionCache& instruction_cache) {
  const std::uint32_t count = description.sub_cores.count;
  sub_cores_.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    sub_cores_.push_back(
        {.front_end = FrontEnd(description.fetch, instruction_cache),
         .dependence = make_dependence(description.dependence, Bypass(description.units)),
         .operand_policy = make_operands(description.operands),
         .units = ExecutionUnits(description.units)});
  }
  for (WarpSlot warp = 0; warp < kMaxWarps; ++warp) sub_core_of_[warp] = &sub_cores_[warp % count];
}

WarpSet SubCores::warps_of(std::uint32_t number) const {
  WarpSet warps = 0;
  for (WarpSlot warp = number; warp < kMaxWarps; warp += count()) warps |= set_of(warp);
  return warps;
}

}  // namespace heddle::sm
