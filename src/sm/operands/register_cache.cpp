// A cache of registers above the main register file, and perhaps an entry for a thread's last
// result above that, both managed by hardware: Gebhart's dissertation on on-chip storage for
// throughput processors, chapter 5 and section 6.5.2.
//
// What is where (cache_levels.h) is decided as instructions issue, in their order, as if results
// came at once.

#include "sm/operands/cache_levels.h"
#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/layered.h"
#include "sm/operands/rows_of_pass.h"

namespace heddle::sm {
namespace {

class RegisterCache final : public LayeredOperands {
 public:
  RegisterCache(const HierarchyParameters& own, std::unique_ptr<Operands> main);

  Cycle read_sources(const IssuedPass& issued, Cycle now) override;
  Cycle write_results(const IssuedInstruction& issued, Cycle done) override;
  bool follows_control() const override { return true; }
  void passed_by(const IssuedInstruction& issued, std::span<const Row> rows, Cycle now) override;
  /// The stage that checks the tags (section 5.2.2).
  Cycles branch_cycles() const override { return Cycles(1); }

  void suspended(WarpSlot warp, Cycle now) override {
    if (!is_of_active_) return;
    ++counters_.registers.suspensions;
    for_each_warp(homes_[warp], [&](WarpSlot home) { levels_.flush(home, now); });
  }
  void ended(WarpSlot warp, Cycle) override {
    for_each_warp(homes_.take(warp), [this](WarpSlot home) { levels_.forget(home); });
  }
  void declare(CounterList& counters) override {
    LayeredOperands::declare(counters);
    counters_.declare(counters);
    levels_.declare_check(counters);
  }

 private:
  bool goes_round(const IssueInfo& info) const { return info.long_latency && long_go_round_; }
  /// A unit that cannot read the last-result file does not write it either, and the compiler keeps
  /// what such a unit is to read out of it (section 6.5.2).
  bool goes_to_last(const IssueInfo& info, const RegisterUse& use) const {
    return levels_.has_last() && !is_shared(info.unit) &&
           use.place.level != code::RegisterLevel::operand;
  }

  bool is_of_active_;
  bool reads_allocate_;
  bool liveness_;
  bool long_go_round_;
  bool flush_at_jumps_back_;
  RowsOfPass rows_;
  RowsOfSlots homes_;
  CacheCounters counters_;
  CacheLevels levels_;
};

RegisterCache::RegisterCache(const HierarchyParameters& own, std::unique_ptr<Operands> main)
    : LayeredOperands(std::move(main)),
      is_of_active_(own.active_only),
      reads_allocate_(own.allocate == "results-and-reads"),
      liveness_(own.liveness),
      long_go_round_(own.long_results_go_round),
      flush_at_jumps_back_(own.flush_at_backward_branches),
      levels_(own, this->main(), counters_) {}

Cycle RegisterCache::read_sources(const IssuedPass& issued, Cycle now) {
  const std::span<const RowLanes> rows = rows_.of(issued);
  const IssueInfo& info = issued.info;
  const bool in_shared_unit = is_shared(info.unit);
  ++counters_.tag_checks;
  for (const RowLanes& row : rows) homes_.note(issued.warp, row.home);

  const std::span<const std::uint16_t> reads = issued.table.reads(info);
  const std::span<const RegisterUse> read_uses = issued.table.read_uses(info);
  SourcesInMain in_main;
  bool others = false;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const std::uint16_t word = reads[i];
    if (word >= kFirstPredicate) continue;
    CacheLevels::Found found;
    for (const RowLanes& row : rows) found.add(levels_.read(row, word, in_shared_unit, now));
    counters_.split_reads += found.levels() - 1;
    if (found.last) ++counters_.registers.last_reads;
    if (found.cache) {
      ++(in_shared_unit ? counters_.registers.upper_reads_shared
                        : counters_.registers.upper_reads_private);
    }
    if (found.main) in_main.add(word, read_uses[i].operand);
    others |= found.last || found.cache;
  }
  counters_.registers.count_from_main(in_main.registers.size(), in_main.operands.count);
  const Cycle read = read_main(issued.warp, in_main.registers, others, now);

  if (reads_allocate_) {
    for (const std::uint16_t word : in_main.registers) {
      levels_.fill(rows, word, in_shared_unit, now);
    }
  }
  for (std::size_t i = 0; liveness_ && i < reads.size(); ++i) {
    if (!read_uses[i].last) continue;
    for (const RowLanes& row : rows) levels_.mark_dead(row.home, reads[i], row.path);
  }
  const std::span<const std::uint16_t> writes = issued.table.writes(info);
  const std::span<const RegisterUse> write_uses = issued.table.write_uses(info);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i] >= kFirstPredicate) continue;
    for (const RowLanes& row : rows) {
      if (goes_round(info)) {
        levels_.put_in_main(info, row, writes[i]);
      } else {
        levels_.put_result(info, row, writes[i], goes_to_last(info, write_uses[i]), now);
      }
    }
  }
  return read;
}

Cycle RegisterCache::write_results(const IssuedInstruction& issued, Cycle done) {
  const IssueInfo& info = issued.info;
  const std::span<const std::uint16_t> writes = issued.table.writes(info);
  if (goes_round(info)) return write(issued.warp, writes, done);
  const std::span<const RegisterUse> uses = issued.table.write_uses(info);
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i] >= kFirstPredicate) continue;
    if (goes_to_last(info, uses[i])) {
      ++counters_.registers.last_writes;
    } else {
      ++(is_shared(info.unit) ? counters_.registers.upper_writes_shared
                              : counters_.registers.upper_writes_private);
    }
  }
  return done;
}

void RegisterCache::passed_by(const IssuedInstruction& issued, std::span<const Row> rows,
                              Cycle now) {
  for (const Row& row : rows) {
    const RowLanes lanes = RowsOfPass::lanes_of(row, row.path);
    for (const std::uint16_t word : issued.table.writes(issued.info)) {
      if (word < kFirstPredicate) levels_.put_in_main(issued.info, lanes, word);
    }
    if (flush_at_jumps_back_ && issued.info.jumps_back) levels_.flush(row.home, now);
  }
}

const OperandsRegistry::Entry register_cache_entry{
    "register-cache", "a cache of registers, managed by hardware, above a main register file",
    [](const HierarchyParameters& own, const OperandDescription& description) {
      return std::make_unique<RegisterCache>(
          own, OperandsRegistry::make(own.main, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
