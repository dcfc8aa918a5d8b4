// An operand file (ORF) and a last-result file (LRF) above the main register file (MRF), in all of
// which the compiler places values (Gebhart's dissertation on on-chip storage for throughput
// processors, chapter 6). Each instruction says where its operands are (code/placement), and the
// compiler marks where a warp is suspended.

#include <array>
#include <bitset>
#include <optional>

#include "sm/operands/hierarchy_counters.h"
#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/layered.h"
#include "sm/operands/loss_at_wait.h"
#include "sm/operands/static_warps_of_pass.h"
#include "sm/operands/value_check.h"
#include "sm/operands/word_pool.h"

namespace heddle::sm {
namespace {

/// A strand is code between two points at which no value is kept above the main file.
struct ManagedCounters {
  HierarchyCounters registers;
  std::uint64_t strands = 0;
  std::uint64_t live_ins = 0;
  std::uint64_t live_outs = 0;
  std::uint64_t live_in_operands = 0;
  std::uint64_t live_out_operands = 0;

  void declare(CounterList& counters) {
    registers.declare(counters);
    counters.add("strands", strands, "strands", "that a warp began");
    counters.add("live_ins", live_ins, "registers",
                 "of a warp that a strand read before it wrote them");
    counters.add("live_outs", live_outs, "registers",
                 "of a warp, results that another strand may read");
    counters.add("live_in_operands", live_in_operands, "operands",
                 "of one register or more that a strand read before it wrote them");
    counters.add("live_out_operands", live_out_operands, "operands",
                 "of one register or more that another strand may read");
  }
};

class Managed final : public LayeredOperands {
 public:
  Managed(const HierarchyParameters& parameters, std::unique_ptr<Operands> main)
      : LayeredOperands(std::move(main)),
        suspension_loses_values_(parameters.active_only),
        loss_(parameters.keep_at_barriers),
        last_results_place_(parameters.entries) {
    if (parameters.check_values) check_.emplace(parameters.entries + code::kOperandSlots);
    if (parameters.pool_words != 0) {
      pool_.emplace(parameters.pool_words, parameters.entries, parameters.word_price);
    }
  }

  Cycle read_sources(const IssuedPass& issued, Cycle now) override;
  Cycle write_results(const IssuedInstruction& issued, Cycle done) override;
  void observe_control(const IssuedInstruction& issued, std::span<const StaticWarp> static_warps,
                       Cycle) override {
    follow_strand(issued, static_warps);
    if (!check_) return;
    for (const StaticWarp& static_warp : static_warps) {
      check(issued, StaticWarpsOfPass::lanes_of(static_warp, static_warp.path), false);
    }
  }

  void activated(WarpSlot warp, Cycle) override { loss_.forget(warp); }
  void suspended(WarpSlot warp, WaitReason reason, Cycle) override {
    if (loss_.suspended(warp, reason)) lose_values(warp);
  }
  void waits_again(WarpSlot warp, WaitReason reason, Cycle) override {
    if (loss_.waits_again(warp, reason)) lose_values(warp);
  }
  void ended(WarpSlot warp, Cycle) override {
    loss_.forget(warp);
    if (pool_) pool_->release(warp);
    for_each_warp(hardware_warps_.take(warp),
                  [this](HardwareWarpId hardware_warp) { check_->ended(hardware_warp); });
  }
  void declare(CounterList& counters) override {
    LayeredOperands::declare(counters);
    counters_.declare(counters);
    if (pool_) pool_->declare(counters);
    if (check_) check_->declare(counters);
  }

 private:
  void lose_values(WarpSlot warp) {
    ++counters_.registers.suspensions;
    if (pool_) pool_->release(warp);
    if (!check_ || !suspension_loses_values_) return;
    for_each_warp(hardware_warps_[warp], [this](HardwareWarpId hardware_warp) {
      check_->lose_places(hardware_warp, LaneMask::all());
    });
  }
  void follow_strand(const IssuedInstruction& issued, std::span<const StaticWarp> static_warps);
  void follow_words(const IssuedInstruction& issued, const StaticWarp& static_warp);
  std::span<const RegisterUse> read_uses(const IssuedInstruction& issued) const {
    return pool_ ? issued.table.read_uses(issued.info, (*pool_)[issued.warp])
                 : issued.table.read_uses(issued.info);
  }
  /// A load from shared memory may complete when the warp is already in another strand. The place
  /// of its result is then chosen for the other strand's number of words. This affects only
  /// counters: no value is lost, because other strands read it from the main file.
  std::span<const RegisterUse> write_uses(const IssuedInstruction& issued) const {
    return pool_ ? issued.table.write_uses(issued.info, (*pool_)[issued.warp])
                 : issued.table.write_uses(issued.info);
  }
  void check(const IssuedInstruction& issued, const StaticWarpLanes& static_warp, bool reads);
  std::uint32_t place_of(code::UpperPlace upper) const {
    return upper.level == code::RegisterLevel::operand ? upper.entry
                                                       : last_results_place_ + upper.entry;
  }

  bool suspension_loses_values_;  ///< Whether suspended warps lose values above the main file.
  LossAtWait loss_;
  std::uint32_t last_results_place_;  ///< The last-result file's first place (see ValueCheck).
  /// By slot: the registers that the warp has read or written in its strand.
  std::array<std::bitset<kFirstPredicate>, kMaxWarps> known_{};
  StaticWarpsOfPass static_warps_;
  HardwareWarpsOfSlots hardware_warps_;  ///< Maintained for checks only.
  ManagedCounters counters_;
  std::optional<WordPool> pool_;     ///< Empty unless warps share a pool of words.
  std::optional<ValueCheck> check_;  ///< Empty unless values are checked.
};

Cycle Managed::read_sources(const IssuedPass& issued, Cycle now) {
  if (issued.number == 0) follow_strand(issued, issued.static_warps);
  const IssueInfo& info = issued.info;
  const std::span<const std::uint16_t> reads = issued.table.reads(info);
  const std::span<const RegisterUse> uses = read_uses(issued);
  HierarchyCounters& counters = counters_.registers;
  std::uint64_t& operand_file_reads = is_shared(info.unit) ? counters.operand_file_reads_shared
                                                           : counters.operand_file_reads_private;
  std::uint64_t& fills = is_shared(info.unit) ? counters.fills_shared : counters.fills_private;
  SourcesInMain in_main;
  bool reads_above = false;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (!issued.is_read(i)) continue;
    switch (uses[i].place.level) {
      case code::RegisterLevel::main:
        in_main.add(reads[i], uses[i].operand);
        if (uses[i].fill_place.level == code::RegisterLevel::operand) ++fills;
        if (uses[i].fill_place.level == code::RegisterLevel::last_result) ++counters.last_fills;
        break;
      case code::RegisterLevel::operand:
        ++operand_file_reads;
        reads_above = true;
        break;
      case code::RegisterLevel::last_result:
        ++counters.last_reads;
        reads_above = true;
        break;
    }
  }
  counters.count_from_main(in_main.registers.size(), in_main.operands.count);
  if (check_) {
    for (const StaticWarpLanes& static_warp : static_warps_.find(issued)) {
      hardware_warps_.note(issued.warp, static_warp.hardware_warp);
      check(issued, static_warp, true);
    }
  }
  return read_main(issued.warp, in_main.registers, reads_above, now);
}

Cycle Managed::write_results(const IssuedInstruction& issued, Cycle done) {
  const IssueInfo& info = issued.info;
  const std::span<const std::uint16_t> writes = issued.table.writes(info);
  const std::span<const RegisterUse> uses = write_uses(issued);
  HierarchyCounters& counters = counters_.registers;
  Registers to_main;
  OperandCount live_outs;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (!issued.is_written(i)) continue;
    const RegisterUse& use = uses[i];
    if (use.writes_main) to_main.push_back(writes[i]);
    if (use.writes_main && use.place.present()) ++counters.duplicate_writes;
    if (use.is_live_out) {
      ++counters_.live_outs;
      live_outs.add(use.operand);
    }
    switch (use.place.level) {
      case code::RegisterLevel::main:
        break;
      case code::RegisterLevel::operand:
        ++(is_shared(info.unit) ? counters.operand_file_writes_shared
                                : counters.operand_file_writes_private);
        break;
      case code::RegisterLevel::last_result:
        ++counters.last_writes;
        break;
    }
  }
  counters_.live_out_operands += live_outs.count;
  return write_main(issued.warp, to_main, done);
}

/// Counts strands, and the values that a strand reads before it writes them.
void Managed::follow_strand(const IssuedInstruction& issued,
                            std::span<const StaticWarp> static_warps) {
  std::bitset<kFirstPredicate>& known = known_[issued.warp];
  if (issued.info.begins_strand) {
    ++counters_.strands;
    known.reset();
  }
  if (pool_) follow_words(issued, static_warps.front());
  const std::span<const std::uint16_t> reads = issued.table.reads(issued.info);
  const std::span<const RegisterUse> uses = issued.table.read_uses(issued.info);
  OperandCount live_ins;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (reads[i] >= kFirstPredicate || known[reads[i]]) continue;
    ++counters_.live_ins;
    live_ins.add(uses[i].operand);
    known.set(reads[i]);
  }
  counters_.live_in_operands += live_ins.count;
  for (const std::uint16_t reg : issued.table.writes(issued.info)) {
    if (reg < kFirstPredicate) known.set(reg);
  }
}

/// Tells the pool of words which strand the warp executes.
void Managed::follow_words(const IssuedInstruction& issued, const StaticWarp& static_warp) {
  if (!issued.info.begins_strand) return pool_->resume_strand(issued.warp, static_warp.path);
  pool_->begin(issued.warp, static_warp.path, static_warp.warp->stack.live(),
               issued.table.savings_of(issued.info));
}

/// Checks the values that the instruction reads, if `reads`, and records those that it writes.
void Managed::check(const IssuedInstruction& issued, const StaticWarpLanes& static_warp,
                    bool reads) {
  const IssueInfo& info = issued.info;
  if (info.begins_strand && suspension_loses_values_)
    check_->lose_places(static_warp.hardware_warp, static_warp.path);
  const std::span<const std::uint16_t> sources = issued.table.reads(info);
  const std::span<const RegisterUse> source_uses = read_uses(issued);
  for (std::size_t i = 0; reads && i < sources.size(); ++i) {
    if (!issued.is_read(i)) continue;
    const code::UpperPlace from = source_uses[i].place;
    if (from.present()) {
      check_->read_place(static_warp.hardware_warp, place_of(from), sources[i], static_warp.active);
    } else {
      check_->read_main(static_warp.hardware_warp, sources[i], static_warp.active);
    }
  }
  // A fill may overwrite the place of another source, so all sources are read first.
  for (std::size_t i = 0; reads && i < sources.size(); ++i) {
    const code::UpperPlace fills = source_uses[i].fill_place;
    if (fills.present() && issued.is_read(i)) {
      check_->main_to_place(static_warp.hardware_warp, place_of(fills), sources[i],
                            static_warp.active);
    }
  }
  const std::span<const std::uint16_t> results = issued.table.writes(info);
  const std::span<const RegisterUse> result_uses = write_uses(issued);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!issued.is_written(i)) continue;
    const RegisterUse& use = result_uses[i];
    check_->record_write(info, static_warp, results[i]);
    if (use.writes_main) {
      check_->copy_to_main(static_warp.hardware_warp, results[i], static_warp.active);
    }
    if (use.place.present()) {
      check_->copy_to_place(static_warp.hardware_warp, place_of(use.place), results[i],
                            static_warp.active);
    }
  }
}

const OperandsRegistry::Entry managed_entry{
    "managed", "an operand file and a last-result file, managed by the compiler, above a main file",
    [](const HierarchyParameters& parameters, const OperandDescription& description) {
      return std::make_unique<Managed>(
          parameters, OperandsRegistry::make(parameters.main, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
