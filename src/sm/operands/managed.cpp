// An operand file and a last-result file above the main register file, in which the compiler places
// values: Gebhart's dissertation on on-chip storage for throughput processors, chapter 6. Hardware
// does as each instruction says (code/placement), and suspends a warp where the compiler says so.

#include <array>
#include <bitset>
#include <optional>

#include "sm/operands/hierarchy_counters.h"
#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/layered.h"
#include "sm/operands/rows_of_pass.h"
#include "sm/operands/value_check.h"
#include "sm/operands/word_pool.h"

namespace heddle::sm {
namespace {

struct ManagedCounters {
  HierarchyCounters registers;
  std::uint64_t strands = 0;
  std::uint64_t live_ins = 0;
  std::uint64_t live_outs = 0;
  std::uint64_t live_in_operands = 0;
  std::uint64_t live_out_operands = 0;

  void declare(CounterList& counters) {
    registers.declare(counters);
    counters.add("strands", strands, "strands", "of a warp that began");
    counters.add("live_ins", live_ins, "registers",
                 "of a warp that a strand read before it wrote them");
    counters.add("live_outs", live_outs, "registers",
                 "results of a warp that may be read in another strand");
    counters.add("live_in_operands", live_in_operands, "operands",
                 "of one register or several that a strand read before it wrote them");
    counters.add("live_out_operands", live_out_operands, "operands",
                 "of one register or several that may be read in another strand");
  }
};

class Managed final : public LayeredOperands {
 public:
  Managed(const HierarchyParameters& own, std::unique_ptr<Operands> main)
      : LayeredOperands(std::move(main)), is_lost_(own.active_only), last_place_(own.entries) {
    if (own.checked) check_.emplace(own.entries + code::kOperandSlots);
    if (own.pool_words != 0) pool_.emplace(own.pool_words, own.entries, own.word_price);
  }

  Cycle read_sources(const IssuedPass& issued, Cycle now) override;
  Cycle write_results(const IssuedInstruction& issued, Cycle done) override;
  bool follows_control() const override { return true; }
  void passed_by(const IssuedInstruction& issued, std::span<const Row> rows, Cycle) override {
    follow_strand(issued, rows);
    if (!check_) return;
    for (const Row& row : rows) {
      check(issued, RowsOfPass::lanes_of(row, row.path), false);
    }
  }
  bool suspends_by_marks() const override { return true; }

  void suspended(WarpSlot warp, Cycle) override {
    ++counters_.registers.suspensions;
    if (pool_) pool_->give_back(warp);
    if (!check_ || !is_lost_) return;
    for_each_warp(homes_[warp],
                  [this](WarpSlot home) { check_->lose_places(home, LaneMask::all()); });
  }
  void ended(WarpSlot warp, Cycle) override {
    if (pool_) pool_->give_back(warp);
    for_each_warp(homes_.take(warp), [this](WarpSlot home) { check_->ended(home); });
  }
  void declare(CounterList& counters) override {
    LayeredOperands::declare(counters);
    counters_.declare(counters);
    if (pool_) pool_->declare(counters);
    if (check_) check_->declare(counters);
  }

 private:
  void follow_strand(const IssuedInstruction& issued, std::span<const Row> rows);
  void follow_words(const IssuedInstruction& issued, const Row& row);
  std::span<const RegisterUse> read_uses(const IssuedInstruction& issued) const {
    return pool_ ? issued.table.read_uses(issued.info, (*pool_)[issued.warp])
                 : issued.table.read_uses(issued.info);
  }
  /// What shared memory brings may come when the warp goes on in another strand, and is counted as
  /// that one's words have it: no value is lost, as others are read from the main file anyway.
  std::span<const RegisterUse> write_uses(const IssuedInstruction& issued) const {
    return pool_ ? issued.table.write_uses(issued.info, (*pool_)[issued.warp])
                 : issued.table.write_uses(issued.info);
  }
  void check(const IssuedInstruction& issued, const RowLanes& row, bool reads);
  std::uint32_t place_of(code::UpperPlace upper) const {
    return upper.level == code::RegisterLevel::operand ? upper.entry : last_place_ + upper.entry;
  }

  bool is_lost_;              ///< What is above the main file, where a warp is suspended.
  std::uint32_t last_place_;  ///< The first of the last-result file, for checks.
  std::array<std::bitset<kFirstPredicate>, kMostWarps>
      known_{};  ///< Read or written in its strand.
  RowsOfPass rows_;
  RowsOfSlots homes_;  ///< Noted for checks alone.
  ManagedCounters counters_;
  std::optional<WordPool> pool_;  ///< Where a warp's number of words varies.
  std::optional<ValueCheck> check_;
};

Cycle Managed::read_sources(const IssuedPass& issued, Cycle now) {
  if (issued.number == 0) follow_strand(issued, issued.rows);
  const IssueInfo& info = issued.info;
  const std::span<const std::uint16_t> reads = issued.table.reads(info);
  const std::span<const RegisterUse> uses = read_uses(issued);
  HierarchyCounters& counters = counters_.registers;
  std::uint64_t& upper_reads =
      is_shared(info.unit) ? counters.upper_reads_shared : counters.upper_reads_private;
  std::uint64_t& fills = is_shared(info.unit) ? counters.fills_shared : counters.fills_private;
  SourcesInMain in_main;
  bool others = false;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    if (reads[i] >= kFirstPredicate) continue;
    switch (uses[i].place.level) {
      case code::RegisterLevel::main:
        in_main.add(reads[i], uses[i].operand);
        if (uses[i].fills.level == code::RegisterLevel::operand) ++fills;
        if (uses[i].fills.level == code::RegisterLevel::last_result) ++counters.last_fills;
        break;
      case code::RegisterLevel::operand:
        ++upper_reads;
        others = true;
        break;
      case code::RegisterLevel::last_result:
        ++counters.last_reads;
        others = true;
        break;
    }
  }
  counters.count_from_main(in_main.registers.size(), in_main.operands.count);
  if (check_) {
    for (const RowLanes& row : rows_.of(issued)) {
      homes_.note(issued.warp, row.home);
      check(issued, row, true);
    }
  }
  return read_main(issued.warp, in_main.registers, others, now);
}

Cycle Managed::write_results(const IssuedInstruction& issued, Cycle done) {
  const IssueInfo& info = issued.info;
  const std::span<const std::uint16_t> writes = issued.table.writes(info);
  const std::span<const RegisterUse> uses = write_uses(issued);
  HierarchyCounters& counters = counters_.registers;
  Registers to_main;
  OperandCount live_outs;
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (writes[i] >= kFirstPredicate) continue;
    const RegisterUse& use = uses[i];
    if (use.main) to_main.push_back(writes[i]);
    if (use.main && use.place.present()) ++counters.duplicate_writes;
    if (use.live_out) {
      ++counters_.live_outs;
      live_outs.add(use.operand);
    }
    switch (use.place.level) {
      case code::RegisterLevel::main:
        break;
      case code::RegisterLevel::operand:
        ++(is_shared(info.unit) ? counters.upper_writes_shared : counters.upper_writes_private);
        break;
      case code::RegisterLevel::last_result:
        ++counters.last_writes;
        break;
    }
  }
  counters_.live_out_operands += live_outs.count;
  return write_main(issued.warp, to_main, done);
}

void Managed::follow_strand(const IssuedInstruction& issued, std::span<const Row> rows) {
  std::bitset<kFirstPredicate>& known = known_[issued.warp];
  if (issued.info.begins_strand) {
    ++counters_.strands;
    known.reset();
  }
  if (pool_) follow_words(issued, rows.front());
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
  for (const std::uint16_t word : issued.table.writes(issued.info)) {
    if (word < kFirstPredicate) known.set(word);
  }
}

void Managed::follow_words(const IssuedInstruction& issued, const Row& row) {
  if (!issued.info.begins_strand) return pool_->go_on(issued.warp, row.path);
  pool_->begin(issued.warp, row.path, row.warp->stack.live(), issued.table.worth(issued.info));
}

void Managed::check(const IssuedInstruction& issued, const RowLanes& row, bool reads) {
  const IssueInfo& info = issued.info;
  if (info.begins_strand && is_lost_) check_->lose_places(row.home, row.path);
  const std::span<const std::uint16_t> sources = issued.table.reads(info);
  const std::span<const RegisterUse> source_uses = read_uses(issued);
  for (std::size_t i = 0; reads && i < sources.size(); ++i) {
    if (sources[i] >= kFirstPredicate) continue;
    const code::UpperPlace from = source_uses[i].place;
    if (from.present()) {
      check_->read_place(row.home, place_of(from), sources[i], row.active);
    } else {
      check_->read_main(row.home, sources[i], row.active);
    }
  }
  // What is filled may be what another source was read from.
  for (std::size_t i = 0; reads && i < sources.size(); ++i) {
    const code::UpperPlace fills = source_uses[i].fills;
    if (fills.present()) {
      check_->main_to_place(row.home, place_of(fills), sources[i], row.active);
    }
  }
  const std::span<const std::uint16_t> results = issued.table.writes(info);
  const std::span<const RegisterUse> result_uses = write_uses(issued);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (results[i] >= kFirstPredicate) continue;
    const RegisterUse& use = result_uses[i];
    check_->written(info, row, results[i]);
    if (use.main) check_->copy_to_main(row.home, results[i], row.active);
    if (use.place.present()) {
      check_->copy_to_place(row.home, place_of(use.place), results[i], row.active);
    }
  }
}

const OperandsRegistry::Entry managed_entry{
    "managed", "an operand file and a last-result file, managed by the compiler, above a main one",
    [](const HierarchyParameters& own, const OperandDescription& description) {
      return std::make_unique<Managed>(own,
                                       OperandsRegistry::make(own.main, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
