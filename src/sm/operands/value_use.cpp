// How values of registers are used (Gebhart's dissertation on on-chip storage for throughput
// processors, sections 5.1 and 6.1): how often each is read, how soon one that is read once is, and
// by which units. It changes no time, and costs nothing where it is not asked for.
//
// A value is what one instruction writes to a register of a row of 32 threads, or of one thread,
// until another writes to it, or the row ends; it is read by an instruction as a whole.

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/layered.h"
#include "sm/operands/rows_of_pass.h"
#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

struct ValueUseParameters {
  std::string watched = "banked";
  std::string values_of = "warps";
  bool wide_values_are_one = false;

  void declare(config::Declarations& parameters) {
    parameters.choice("watched", watched, plain_register_files(),
                      "the register file whose values are watched ('value-use')");
    parameters.choice("values_of", values_of, {"warps", "threads"},
                      "whose: of a warp's registers, or each thread's by itself ('value-use')");
    parameters.flag("wide_values_are_one", wide_values_are_one,
                    "whether a result of several registers is one value, not one each "
                    "('value-use')");
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
    counters.add("values_read_never", reads[0], "values", "of registers");
    counters.add("values_read_once", reads[1], "values", "of registers");
    counters.add("values_read_twice", reads[2], "values", "of registers");
    counters.add("values_read_more", reads[3], "values", "of registers");
    counters.add("once_after_one", once[0], "values",
                 "that are read once, by the next instruction");
    counters.add("once_after_two", once[1], "values", "that are read once, by the one after that");
    counters.add("once_after_three", once[2], "values", "that are read once, by the third");
    counters.add("once_after_more", once[3], "values", "that are read once, later");
    counters.add("values_for_shared", for_shared, "values",
                 "that special-function, memory or texture units read");
    counters.add("values_for_shared_from_private", for_shared_from_private, "values",
                 "of these, that units of full width made");
  }
};

/// What one thread's registers hold, or those of a row of 32 taken together.
class ValuesOfThread {
 public:
  ValuesOfThread() { value_of_.fill(kNone); }

  void execute() { ++instructions_; }
  void read(std::uint16_t word, bool in_shared_unit) {
    if (value_of_[word] == kNone) return;
    Value& value = values_[value_of_[word]];
    // An instruction may read several registers of one value.
    if (value.reads != 0 && value.last_read == instructions_) return;
    value.last_read = instructions_;
    if (value.reads == 0) value.first_read_after = instructions_ - value.made_at;
    value.reads = std::min<std::uint8_t>(value.reads + 1, 3);
    value.for_shared |= in_shared_unit;
  }
  /// A value of one register or several is made.
  void write(std::span<const std::uint16_t> words, bool in_shared_unit, ValueCounters& counters) {
    for (const std::uint16_t word : words) {
      if (value_of_[word] == word) end(word, counters);
      value_of_[word] = words.front();
    }
    values_[words.front()] = {.words = static_cast<std::uint8_t>(words.size()),
                              .in_shared_unit = in_shared_unit,
                              .made_at = instructions_};
  }
  void finish(ValueCounters& counters) {
    for (std::uint16_t word = 0; word < kFirstPredicate; ++word) {
      if (value_of_[word] == word) end(word, counters);
      value_of_[word] = kNone;
    }
    instructions_ = 0;
  }

 private:
  static constexpr std::uint16_t kNone = 0xffff;
  struct Value {
    std::uint8_t words = 0;
    bool in_shared_unit = false;
    bool for_shared = false;
    std::uint8_t reads = 0;  ///< Up to three.
    std::uint64_t made_at = 0;
    std::uint64_t first_read_after = 0;
    std::uint64_t last_read = 0;
  };

  /// A wide value ends with its first register, and is not known by the others any more.
  void end(std::uint16_t first, ValueCounters& counters) {
    const Value& value = values_[first];
    for (std::uint16_t word = first; word < first + value.words; ++word) {
      if (value_of_[word] == first) value_of_[word] = kNone;
    }
    ++counters.reads[value.reads];
    if (value.reads == 1) {
      ++counters.once[std::min<std::uint64_t>(value.first_read_after, ValueCounters::kClasses) - 1];
    }
    if (!value.for_shared) return;
    ++counters.for_shared;
    if (!value.in_shared_unit) ++counters.for_shared_from_private;
  }

  std::uint64_t instructions_ = 0;
  std::array<std::uint16_t, kFirstPredicate> value_of_;  ///< By register: its value's first one.
  std::array<Value, kFirstPredicate> values_{};          ///< By their first registers.
};

class ValueUse final : public LayeredOperands {
 public:
  ValueUse(const ValueUseParameters& own, std::unique_ptr<Operands> main)
      : LayeredOperands(std::move(main)),
        threads_of_row_(own.values_of == "threads" ? std::size_t{kWarpSize} : 1),
        wide_are_one_(own.wide_values_are_one) {
    threads_.resize(kMostWarps * threads_of_row_);
  }

  Cycle read_sources(const IssuedPass& issued, Cycle now) override {
    // Passes of one instruction are one instruction of each row.
    if (issued.number == 0) {
      for (const Row& row : issued.rows) follow(issued, row, true);
    }
    return LayeredOperands::read_sources(issued, now);
  }
  bool follows_control() const override { return true; }
  void passed_by(const IssuedInstruction& issued, std::span<const Row> rows, Cycle) override {
    for (const Row& row : rows) follow(issued, row, false);
  }
  void ended(WarpSlot warp, Cycle) override {
    for_each_warp(homes_.take(warp), [this](WarpSlot home) {
      for (ValuesOfThread& thread : threads_of(home)) thread.finish(counters_);
    });
  }
  void declare(CounterList& counters) override {
    LayeredOperands::declare(counters);
    counters_.declare(counters);
  }

 private:
  std::span<ValuesOfThread> threads_of(WarpSlot home) {
    return std::span(threads_).subspan(home * threads_of_row_, threads_of_row_);
  }

  /// `reads`: control's sources go through no operands, and are not counted as reads elsewhere.
  void follow(const IssuedInstruction& issued, const Row& row, bool reads) {
    homes_.note(issued.warp, row.home);
    const std::span<ValuesOfThread> threads = threads_of(row.home);
    if (threads_of_row_ == 1) return follow_in(threads.front(), issued, reads, true);
    const RowLanes lanes = RowsOfPass::lanes_of(row, row.path);
    for (LaneMask path = lanes.path; !path.empty(); path = path.without_lowest()) {
      const int lane = path.lowest();
      follow_in(threads[static_cast<std::size_t>(lane)], issued, reads,
                lanes.active.contains(lane));
    }
  }

  /// `executes`: its guard lets it, if it has one.
  void follow_in(ValuesOfThread& thread, const IssuedInstruction& issued, bool reads,
                 bool executes) {
    const bool in_shared_unit = is_shared(issued.info.unit);
    thread.execute();
    if (!executes) return;
    for (const std::uint16_t word : issued.table.reads(issued.info)) {
      if (reads && word < kFirstPredicate) thread.read(word, in_shared_unit);
    }
    const std::span<const std::uint16_t> writes = issued.table.writes(issued.info);
    const std::span<const RegisterUse> uses = issued.table.write_uses(issued.info);
    for (std::size_t first = 0, next = 0; first < writes.size(); first = next) {
      next = first + 1;
      if (writes[first] >= kFirstPredicate) continue;
      while (wide_are_one_ && next < writes.size() && writes[next] < kFirstPredicate &&
             uses[next].operand == uses[first].operand) {
        ++next;
      }
      thread.write(writes.subspan(first, next - first), in_shared_unit, counters_);
    }
  }

  std::size_t threads_of_row_;  ///< Or 1, where rows are counted.
  bool wide_are_one_;
  std::vector<ValuesOfThread> threads_;  ///< Row by row.
  RowsOfSlots homes_;
  ValueCounters counters_;
};

const OperandsRegistry::Entry value_use_entry{
    "value-use", "a register file, of whose values it is counted how they are used",
    [](const ValueUseParameters& own, const OperandDescription& description) {
      return std::make_unique<ValueUse>(
          own, OperandsRegistry::make(own.watched, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
