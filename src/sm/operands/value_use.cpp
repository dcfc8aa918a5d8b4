// A register file that counts how register values are used: how often each value is read, after how
// many instructions a value that is read once is read, and by which units (Gebhart's dissertation
// on on-chip storage for throughput processors, sections 5.1 and 6.1). Counting does not change
// timing.
//
// A value is what an instruction writes to a register of a static warp, or of one thread. It lives
// until the register is written again or the static warp ends. An instruction that reads a value
// counts as one read, even if it reads several of the value's registers.

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sm/operands/hierarchy_parameters.h"
#include "sm/operands/layered.h"
#include "sm/operands/static_warps_of_pass.h"
#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

struct ValueUseParameters {
  std::string watched = "banked";
  std::string values_of = "warps";
  bool wide_values_are_one = false;

  void declare(config::Declarations& parameters) {
    parameters.choice("watched", watched, plain_register_files(),
                      "policy of the register file whose values are counted ('value-use')");
    parameters.choice("values_of", values_of, {"warps", "threads"},
                      "whether to count a value per register of a warp or per thread "
                      "('value-use')");
    parameters.flag("wide_values_are_one", wide_values_are_one,
                    "whether a result of several registers counts as one value, not as one per "
                    "register ('value-use')");
  }
  void check(const SmDescription& sm) const {
    OperandsRegistry::check(watched, sm.operands, sm);
    check_warps_stay_together(sm);
  }
  OperandProperties properties(const OperandDescription& operands) const {
    OperandProperties properties = OperandsRegistry::properties(watched, operands);
    properties.is_register_file = false;
    return properties;
  }
};

struct ValueCounters {
  static constexpr std::size_t kClasses = 4;

  std::array<std::uint64_t, kClasses> reads{};  ///< Values read never, once, twice, more often.
  /// Values read once, by the number of instructions from the write to the read.
  std::array<std::uint64_t, kClasses> once{};
  // Shared units are execution units that lanes share (is_shared); private ones have full width.
  std::uint64_t read_by_shared_unit = 0;
  std::uint64_t read_by_shared_unit_from_private = 0;

  void declare(CounterList& counters) {
    counters.add("values_read_never", reads[0], "values", "of registers, never read");
    counters.add("values_read_once", reads[1], "values", "of registers, read once");
    counters.add("values_read_twice", reads[2], "values", "of registers, read twice");
    counters.add("values_read_more", reads[3], "values", "of registers, read more than twice");
    counters.add("read_once_after_one", once[0], "values",
                 "that are read once, by the next instruction");
    counters.add("read_once_after_two", once[1], "values",
                 "that are read once, by the second instruction after the write");
    counters.add("read_once_after_three", once[2], "values",
                 "that are read once, by the third instruction after the write");
    counters.add("read_once_after_more", once[3], "values",
                 "that are read once, by a later instruction");
    counters.add("values_read_by_shared", read_by_shared_unit, "values",
                 "that special-function, memory or texture units read");
    counters.add("values_read_by_shared_from_private", read_by_shared_unit_from_private, "values",
                 "of these, those that units of full width computed");
  }
};

/// The values in the registers of one thread, or of a static warp taken together.
class ValuesOfThread {
 public:
  ValuesOfThread() { value_of_.fill(kNone); }

  void count_instruction() { ++instructions_; }
  /// `in_shared_unit`: an execution unit that lanes share executes the instruction.
  void read(std::uint16_t word, bool in_shared_unit) {
    if (value_of_[word] == kNone) return;
    Value& value = values_[value_of_[word]];
    // An instruction may read several registers of one value.
    if (value.reads != 0 && value.last_read == instructions_) return;
    value.last_read = instructions_;
    if (value.reads == 0) value.first_read_after = instructions_ - value.made_at;
    value.reads = std::min<std::uint8_t>(value.reads + 1, 3);
    value.read_by_shared_unit |= in_shared_unit;
  }
  /// Notes the write of a value of one register or more.
  void write(std::span<const std::uint16_t> words, bool in_shared_unit, ValueCounters& counters) {
    for (const std::uint16_t word : words) {
      if (value_of_[word] == word) end(word, counters);
      value_of_[word] = words.front();
    }
    values_[words.front()] = {.words = static_cast<std::uint8_t>(words.size()),
                              .written_by_shared_unit = in_shared_unit,
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
    bool written_by_shared_unit = false;
    bool read_by_shared_unit = false;
    std::uint8_t reads = 0;  ///< Counted up to three.
    // Times are numbers of instructions.
    std::uint64_t made_at = 0;
    std::uint64_t first_read_after = 0;  ///< From the write to the first read.
    std::uint64_t last_read = 0;
  };

  /// Ends a value. A wide value ends when its first register is written.
  void end(std::uint16_t first, ValueCounters& counters) {
    const Value& value = values_[first];
    for (std::uint16_t word = first; word < first + value.words; ++word) {
      if (value_of_[word] == first) value_of_[word] = kNone;
    }
    ++counters.reads[value.reads];
    if (value.reads == 1) {
      ++counters.once[std::min<std::uint64_t>(value.first_read_after, ValueCounters::kClasses) - 1];
    }
    if (!value.read_by_shared_unit) return;
    ++counters.read_by_shared_unit;
    if (!value.written_by_shared_unit) ++counters.read_by_shared_unit_from_private;
  }

  std::uint64_t instructions_ = 0;
  /// By register: the first register of the value that it holds.
  std::array<std::uint16_t, kFirstPredicate> value_of_;
  std::array<Value, kFirstPredicate> values_{};  ///< By first register.
};

class ValueUse final : public LayeredOperands {
 public:
  ValueUse(const ValueUseParameters& own, std::unique_ptr<Operands> main)
      : LayeredOperands(std::move(main)),
        threads_of_static_warp_(own.values_of == "threads" ? std::size_t{kWarpSize} : 1),
        wide_are_one_(own.wide_values_are_one) {
    threads_.resize(kMostWarps * threads_of_static_warp_);
  }

  Cycle read_sources(const IssuedPass& issued, Cycle now) override {
    // All passes of an instruction count as one instruction of each static warp.
    if (issued.number == 0) {
      for (const StaticWarp& static_warp : issued.static_warps) follow(issued, static_warp, true);
    }
    return LayeredOperands::read_sources(issued, now);
  }
  bool observes_control() const override { return true; }
  void observe_control(const IssuedInstruction& issued, std::span<const StaticWarp> static_warps,
                       Cycle) override {
    for (const StaticWarp& static_warp : static_warps) follow(issued, static_warp, false);
  }
  void ended(WarpSlot warp, Cycle) override {
    for_each_warp(hardware_warps_.take(warp), [this](HardwareWarpId hardware_warp) {
      for (ValuesOfThread& thread : threads_of(hardware_warp)) thread.finish(counters_);
    });
  }
  void declare(CounterList& counters) override {
    LayeredOperands::declare(counters);
    counters_.declare(counters);
  }

 private:
  std::span<ValuesOfThread> threads_of(HardwareWarpId hardware_warp) {
    return std::span(threads_).subspan(hardware_warp * threads_of_static_warp_,
                                       threads_of_static_warp_);
  }

  /// `reads`: whether to count reads. The sources of control instructions are not read through
  /// operand policies, and no other policy counts them.
  void follow(const IssuedInstruction& issued, const StaticWarp& static_warp, bool reads) {
    hardware_warps_.note(issued.warp, static_warp.hardware_warp);
    const std::span<ValuesOfThread> threads = threads_of(static_warp.hardware_warp);
    if (threads_of_static_warp_ == 1) return follow_in(threads.front(), issued, reads, true);
    const StaticWarpLanes lanes = StaticWarpsOfPass::lanes_of(static_warp, static_warp.path);
    for (LaneMask path = lanes.path; !path.empty(); path = path.without_lowest()) {
      const int lane = path.lowest();
      follow_in(threads[static_cast<std::size_t>(lane)], issued, reads,
                lanes.active.contains(lane));
    }
  }

  /// `executes`: the guard, if any, lets the thread execute the instruction.
  void follow_in(ValuesOfThread& thread, const IssuedInstruction& issued, bool reads,
                 bool executes) {
    const bool in_shared_unit = is_shared(issued.info.unit);
    thread.count_instruction();
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

  std::size_t threads_of_static_warp_;  ///< 1 if values are counted per static warp.
  bool wide_are_one_;
  std::vector<ValuesOfThread> threads_;  ///< By hardware warp, then by thread.
  HardwareWarpsOfSlots hardware_warps_;
  ValueCounters counters_;
};

const OperandsRegistry::Entry value_use_entry{
    "value-use", "a register file that counts how its values are used",
    [](const ValueUseParameters& own, const OperandDescription& description) {
      return std::make_unique<ValueUse>(
          own, OperandsRegistry::make(own.watched, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
