// Why warps that run ahead issue nothing.

#include <algorithm>
#include <array>
#include <string_view>

#include "sm/lookahead/ahead_stalls.h"
#include "sm/lookahead/lookahead_unit.h"

namespace heddle::sm {
namespace {

struct Text {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<Text, kAheadStalls> kTexts{{
    {"sp_sfu_full",
     "waiting for memory; ahead, the unit, the operand collectors or the scheduler are busy"},
    {"lsu_full", "waiting for memory; ahead, the queue to memory is full"},
    {"no_register", "waiting for memory; ahead, no renaming register is free"},
    {"short_latency_raw", "waiting for memory; ahead, for a result"},
    {"instruction_buffer_empty",
     "waiting for memory; ahead, the next instruction is fetched, or one has been skipped"},
    {"long_latency_raw", "waiting for memory, which the next control instruction ahead needs, too"},
    {"barrier_wait", "waiting for memory; ahead, at a barrier"},
    {"no_instruction_left", "waiting for memory; ahead, at the end of the program"},
}};

/// Why a warp has halted.
AheadStall stall_of_halted(const exec::ShadowWarp& shadow, const IssueTable& table) {
  if (shadow.finished()) return AheadStall::no_instruction_left;
  return table[shadow.pc()].kind == InstructionKind::barrier ? AheadStall::barrier_wait
                                                             : AheadStall::long_latency_raw;
}

}  // namespace

AheadStall LookaheadUnit::stall_of(WarpSlot warp, const SchedulerState& scheduler,
                                   const StructuralHazards& hazards) const {
  const Context& context = contexts_[warp];
  if ((going_ & set_of(warp)) == 0) return stall_of_halted(context.shadow, table_of(warp));
  if (context.fetched > now_) return AheadStall::instruction_buffer_empty;
  if (context.at > now_) return AheadStall::short_latency_raw;
  if (scheduler.is_busy_at(now_)) return AheadStall::sp_sfu_full;
  const IssueInfo& info = next_instruction(warp);
  if (hazards.has_space_for(warp, table_of(warp), info, now_)) return AheadStall::no_register;
  return info.kind == InstructionKind::load && !hazards.are_collectors_full(now_)
             ? AheadStall::lsu_full
             : AheadStall::sp_sfu_full;
}

void LookaheadUnit::count_stalled(const SchedulerState& scheduler, const StructuralHazards& hazards,
                                  std::uint64_t cycles) {
  const WarpSet warps = ahead_ & scheduler.warps;
  if (warps == 0) return;
  AheadStall nearest = AheadStall::no_instruction_left;
  for_each_warp(warps, [&](WarpSlot warp) {
    nearest = std::min(nearest, stall_of(warp, scheduler, hazards));
  });
  stalls_.add(nearest, cycles);
}

void AheadStalls::declare(CounterList& counters) {
  for (std::size_t i = 0; i < kAheadStalls; ++i) {
    counters.add(kTexts[i].name, cycles_[static_cast<AheadStall>(i)], "cycles", kTexts[i].meaning);
  }
}

}  // namespace heddle::sm
