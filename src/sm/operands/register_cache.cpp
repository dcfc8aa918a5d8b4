// A register file cache (RFC) above the main register file (MRF) and, optionally, a last-result
// file (LRF) above the cache. Both are managed by hardware (Gebhart's dissertation on on-chip
// storage for throughput processors, chapter 5 and section 6.5.2).
//
// The contents of the levels (register_cache_levels.h) change when instructions issue, in order of
// issue, as if results were available at once.

#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/layered.h"
#include "sm/operands/loss_at_wait.h"
#include "sm/operands/register_cache_levels.h"
#include "sm/operands/static_warps_of_pass.h"

namespace heddle::sm {
namespace {

class RegisterCache final : public LayeredOperands {
 public:
  RegisterCache(const HierarchyParameters& parameters, std::unique_ptr<Operands> main);

  Cycle read_sources(const IssuedPass& issued, Cycle now) override;
  Cycle write_results(const IssuedInstruction& issued, Cycle done) override;
  void observe_control(const IssuedInstruction& issued, std::span<const StaticWarp> static_warps,
                       Cycle now) override;

  void activated(WarpSlot warp, Cycle) override { loss_.forget(warp); }
  void suspended(WarpSlot warp, WaitReason reason, Cycle now) override {
    if (active_only_ && loss_.suspended(warp, reason)) flush(warp, now);
  }
  void waits_again(WarpSlot warp, WaitReason reason, Cycle now) override {
    if (active_only_ && loss_.waits_again(warp, reason)) flush(warp, now);
  }
  void ended(WarpSlot warp, Cycle) override {
    loss_.forget(warp);
    for_each_warp(hardware_warps_.take(warp),
                  [this](HardwareWarpId hardware_warp) { levels_.forget(hardware_warp); });
  }
  void declare(CounterList& counters) override {
    LayeredOperands::declare(counters);
    counters_.declare(counters);
    levels_.declare_check(counters);
  }

 private:
  void flush(WarpSlot warp, Cycle now) {
    ++counters_.registers.suspensions;
    for_each_warp(hardware_warps_[warp],
                  [&](HardwareWarpId hardware_warp) { levels_.flush(hardware_warp, now); });
  }
  /// Whether results of the instruction are written to the main file only.
  bool bypasses_upper_levels(const IssueInfo& info) const {
    return info.is_long_latency && long_results_bypass_;
  }
  /// Whether a result is written to the last-result file. Units that lanes share can neither read
  /// nor write that file; the compiler marks values that such a unit will read (section 6.5.2).
  bool goes_to_last_results(const IssueInfo& info, const RegisterUse& use) const {
    return levels_.has_last_results() && !is_shared(info.unit) &&
           use.place.level != code::RegisterLevel::operand;
  }

  bool active_only_;
  LossAtWait loss_;
  bool reads_allocate_;
  bool liveness_;
  bool long_results_bypass_;
  bool flush_at_backward_branches_;
  StaticWarpsOfPass static_warps_;
  HardwareWarpsOfSlots hardware_warps_;
  RegisterCacheCounters counters_;
  RegisterCacheLevels levels_;
};

RegisterCache::RegisterCache(const HierarchyParameters& parameters, std::unique_ptr<Operands> main)
    : LayeredOperands(std::move(main)),
      active_only_(parameters.active_only),
      loss_(parameters.keep_at_barriers),
      reads_allocate_(parameters.allocate == "results-and-reads"),
      liveness_(parameters.liveness),
      long_results_bypass_(parameters.long_results_bypass),
      flush_at_backward_branches_(parameters.flush_at_backward_branches),
      levels_(parameters, this->main(), counters_) {}

Cycle RegisterCache::read_sources(const IssuedPass& issued, Cycle now) {
  const std::span<const StaticWarpLanes> static_warps = static_warps_.find(issued);
  const IssueInfo& info = issued.info;
  const bool in_shared_unit = is_shared(info.unit);
  ++counters_.tag_checks;
  for (const StaticWarpLanes& static_warp : static_warps)
    hardware_warps_.note(issued.warp, static_warp.hardware_warp);

  const std::span<const std::uint16_t> reads = issued.table.reads(info);
  const std::span<const RegisterUse> read_uses = issued.table.read_uses(info);
  SourcesInMain in_main;
  bool reads_above = false;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::uint16_t reg = reads[i];
    if (!issued.is_read(i)) continue;
    RegisterCacheLevels::Found found;
    for (const StaticWarpLanes& static_warp : static_warps)
      found.add(levels_.read(static_warp, reg, in_shared_unit, now));
    counters_.split_reads += found.levels() - 1;
    if (found.in_last_results) ++counters_.registers.last_reads;
    if (found.in_cache) {
      ++(in_shared_unit ? counters_.registers.operand_file_reads_shared
                        : counters_.registers.operand_file_reads_private);
    }
    if (found.in_main) in_main.add(reg, read_uses[i].operand);
    reads_above |= found.in_last_results || found.in_cache;
  }
  counters_.registers.count_from_main(in_main.registers.size(), in_main.operands.count);
  const Cycle read = read_main(issued.warp, in_main.registers, reads_above, now);

  if (reads_allocate_) {
    for (const std::uint16_t reg : in_main.registers) {
      levels_.fill(static_warps, reg, in_shared_unit, now);
    }
  }
  for (std::size_t i = 0; liveness_ && i < reads.size(); ++i) {
    if (!read_uses[i].is_last_read) continue;
    for (const StaticWarpLanes& static_warp : static_warps)
      levels_.mark_dead(static_warp.hardware_warp, reads[i], static_warp.path);
  }
  const std::span<const std::uint16_t> writes = issued.table.writes(info);
  const std::span<const RegisterUse> write_uses = issued.table.write_uses(info);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i] >= kFirstPredicate) continue;
    // A result that is not written to this policy's registers also makes older values invalid.
    const bool leaves_upper_levels = bypasses_upper_levels(info) || !issued.is_written(i);
    for (const StaticWarpLanes& static_warp : static_warps) {
      if (leaves_upper_levels) {
        levels_.put_in_main(info, static_warp, writes[i]);
      } else {
        levels_.put_result(info, static_warp, writes[i], goes_to_last_results(info, write_uses[i]),
                           now);
      }
    }
  }
  return read;
}

Cycle RegisterCache::write_results(const IssuedInstruction& issued, Cycle done) {
  const IssueInfo& info = issued.info;
  if (bypasses_upper_levels(info)) return main().write_accessed(issued, done);
  const std::span<const RegisterUse> uses = issued.table.write_uses(info);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    if (!issued.is_written(i)) continue;
    if (goes_to_last_results(info, uses[i])) {
      ++counters_.registers.last_writes;
    } else {
      ++(is_shared(info.unit) ? counters_.registers.operand_file_writes_shared
                              : counters_.registers.operand_file_writes_private);
    }
  }
  return done;
}

void RegisterCache::observe_control(const IssuedInstruction& issued,
                                    std::span<const StaticWarp> static_warps, Cycle now) {
  for (const StaticWarp& static_warp : static_warps) {
    const StaticWarpLanes lanes = StaticWarpsOfPass::lanes_of(static_warp, static_warp.path);
    for (const std::uint16_t reg : issued.table.writes(issued.info)) {
      if (reg < kFirstPredicate) levels_.put_in_main(issued.info, lanes, reg);
    }
    if (flush_at_backward_branches_ && issued.info.jumps_back)
      levels_.flush(static_warp.hardware_warp, now);
  }
}

const OperandsRegistry::Entry register_cache_entry{
    "register-cache", "a cache of registers, managed by hardware, above a main register file",
    [](const HierarchyParameters& parameters, const OperandDescription& description) {
      return std::make_unique<RegisterCache>(
          parameters, OperandsRegistry::make(parameters.main, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
