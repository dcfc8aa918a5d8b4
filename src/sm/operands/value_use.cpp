// How values of registers are used (Gebhart's dissertation on on-chip storage for throughput
// processors, sections 5.1 and 6.1): how often each is read, how soon one that is read once is, and
// by which units. It changes no time, and costs nothing where it is not asked for.
//
// A value is what one instruction writes to a register of a row of 32 threads, until another writes
// to it, or the row ends; it is read by an instruction as a whole.

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/layered.h"
#include "sm/operands/rows_of_pass.h"
#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

struct ValueUseParameters {
  std::string watched = "banked";

  void declare(config::Declarations& parameters) {
    parameters.choice("watched", watched, plain_register_files(),
                      "the register file whose values are watched ('value-use')");
  }
  void check(const SmDescription& sm) const {
    OperandsRegistry::check(watched, sm.operands, sm);
    check_warps_stay_together(sm);
  }
  OperandProperties properties(const OperandDescription& operands) const {
    return OperandsRegistry::properties(watched, operands);
  }
};

struct ValueCounters {
  static constexpr std::size_t kClasses = 4;

  std::array<std::uint64_t, kClasses> reads{};  ///< Values that are read never, once, twice, more.
  std::array<std::uint64_t, kClasses> once{};   ///< After 1, 2, 3, more instructions.
  std::uint64_t for_shared = 0;
  std::uint64_t for_shared_from_private = 0;

  void declare(CounterList& counters) {
    counters.add("values_read_never", reads[0], "values", "of a warp's registers");
    counters.add("values_read_once", reads[1], "values", "of a warp's registers");
    counters.add("values_read_twice", reads[2], "values", "of a warp's registers");
    counters.add("values_read_more", reads[3], "values", "of a warp's registers");
    counters.add("once_after_one", once[0], "values",
                 "that are read once, by the warp's next instruction");
    counters.add("once_after_two", once[1], "values", "that are read once, by the one after that");
    counters.add("once_after_three", once[2], "values", "that are read once, by the third");
    counters.add("once_after_more", once[3], "values", "that are read once, later");
    counters.add("values_for_shared", for_shared, "values",
                 "that special-function, memory or texture units read");
    counters.add("values_for_shared_from_private", for_shared_from_private, "values",
                 "of these, that units of full width made");
  }
};

class ValueUse final : public LayeredOperands {
 public:
  explicit ValueUse(std::unique_ptr<Operands> main) : LayeredOperands(std::move(main)) {
    rows_.resize(kMostWarps);
  }

  Cycle read_sources(const IssuedPass& issued, Cycle now) override {
    // Passes of one instruction are one instruction of each row.
    if (issued.number == 0) {
      for (const Row& row : issued.rows) follow(issued, row.home, true);
    }
    return LayeredOperands::read_sources(issued, now);
  }
  bool follows_control() const override { return true; }
  void passed_by(const IssuedInstruction& issued, std::span<const Row> rows, Cycle) override {
    for (const Row& row : rows) follow(issued, row.home, false);
  }
  void ended(WarpSlot warp, Cycle) override {
    for_each_warp(homes_.take(warp), [this](WarpSlot home) {
      for (Value& value : rows_[home].values) end(value);
      rows_[home].instructions = 0;
    });
  }
  void declare(CounterList& counters) override {
    LayeredOperands::declare(counters);
    counters_.declare(counters);
  }

 private:
  struct Value {
    bool made = false;
    bool in_shared_unit = false;
    bool for_shared = false;
    std::uint8_t reads = 0;  ///< Up to three.
    std::uint64_t made_at = 0;
    std::uint64_t first_read_after = 0;
  };
  struct RowOfValues {
    std::uint64_t instructions = 0;
    std::array<Value, kFirstPredicate> values{};
  };

  /// `reads`: control's sources go through no operands, and are not counted as reads elsewhere.
  void follow(const IssuedInstruction& issued, WarpSlot home, bool reads) {
    homes_.note(issued.warp, home);
    RowOfValues& row = rows_[home];
    ++row.instructions;
    const bool in_shared_unit = is_shared(issued.info.unit);
    for (const std::uint16_t word : issued.table.reads(issued.info)) {
      if (!reads || word >= kFirstPredicate || !row.values[word].made) continue;
      Value& value = row.values[word];
      if (value.reads == 0) value.first_read_after = row.instructions - value.made_at;
      value.reads = std::min<std::uint8_t>(value.reads + 1, 3);
      value.for_shared |= in_shared_unit;
    }
    for (const std::uint16_t word : issued.table.writes(issued.info)) {
      if (word >= kFirstPredicate) continue;
      end(row.values[word]);
      row.values[word] = {
          .made = true, .in_shared_unit = in_shared_unit, .made_at = row.instructions};
    }
  }
  void end(Value& value) {
    if (!value.made) return;
    ++counters_.reads[value.reads];
    if (value.reads == 1) {
      ++counters_
            .once[std::min<std::uint64_t>(value.first_read_after, ValueCounters::kClasses) - 1];
    }
    if (value.for_shared) {
      ++counters_.for_shared;
      if (!value.in_shared_unit) ++counters_.for_shared_from_private;
    }
    value = {};
  }

  std::vector<RowOfValues> rows_;
  RowsOfSlots homes_;
  ValueCounters counters_;
};

const OperandsRegistry::Entry entry{
    "value-use", "a register file, of whose values it is counted how they are used",
    [](const ValueUseParameters& own, const OperandDescription& description) {
      return std::make_unique<ValueUse>(
          OperandsRegistry::make(own.watched, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
