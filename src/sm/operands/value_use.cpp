// A register file that counts how register values are used: how often each value is read; if it is
// read once, after how many instructions; and by which units (Gebhart's dissertation on on-chip
// storage for throughput processors, sections 5.1 and 6.1). Counting does not change timing.
//
// A value is what an instruction writes to a register of a static warp (32 threads of a block), or
// of one thread. It ends when the register is written again or the static warp ends. An instruction
// that reads a value counts as one read, even if it reads several registers of the value.

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

  /// Values that are read never, once, twice, and more often.
  std::array<std::uint64_t, kClasses> reads{};
  /// Values that are read once, by the first, second, third, and a later instruction after the
  /// write.
  std::array<std::uint64_t, kClasses> once{};
  // The lanes of a warp share some units (is_shared()). The other units, which have full width, are
  // private.
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

/// The values in the registers of one thread, or of a static warp that is counted as one.
class ValuesOfThread {
 public:
  ValuesOfThread() { value_of_.fill(kNone); }

  void count_instruction() { ++instructions_; }
  /// An instruction reads a register. `in_shared_unit`: whether a shared unit executes it.
  void read(std::uint16_t reg, bool in_shared_unit) {
    if (value_of_[reg] == kNone) return;
    Value& value = values_[value_of_[reg]];
    // An instruction may read several registers of one value.
    if (value.reads != 0 && value.last_read == instructions_) return;
    value.last_read = instructions_;
    if (value.reads == 0) value.first_read_after = instructions_ - value.made_at;
    value.reads = std::min<std::uint8_t>(value.reads + 1, 3);
    value.read_by_shared_unit |= in_shared_unit;
  }
  /// An instruction writes a value to one register or to several consecutive ones.
  void write(std::span<const std::uint16_t> registers, bool in_shared_unit,
             ValueCounters& counters) {
    for (const std::uint16_t reg : registers) {
      if (value_of_[reg] == reg) end(reg, counters);
      value_of_[reg] = registers.front();
    }
    values_[registers.front()] = {.width = static_cast<std::uint8_t>(registers.size()),
                                  .written_by_shared_unit = in_shared_unit,
                                  .made_at = instructions_};
  }
  /// Ends all values, because the thread has ended.
  void finish(ValueCounters& counters) {
    for (std::uint16_t reg = 0; reg < kFirstPredicate; ++reg) {
      if (value_of_[reg] == reg) end(reg, counters);
      value_of_[reg] = kNone;
    }
    instructions_ = 0;
  }

 private:
  static constexpr std::uint16_t kNone = 0xffff;
  struct Value {
    std::uint8_t width = 0;  ///< The number of registers.
    bool written_by_shared_unit = false;
    bool read_by_shared_unit = false;
    std::uint8_t reads = 0;  ///< The number of reads, at most 3.
    // Times are counted in instructions of the thread.
    std::uint64_t made_at = 0;
    std::uint64_t first_read_after = 0;  ///< From the write to the first read.
    std::uint64_t last_read = 0;
  };

  /// Ends the value whose first register is `first`. (A wide value ends when its first register is
  /// written.)
  void end(std::uint16_t first, ValueCounters& counters) {
    const Value& value = values_[first];
    for (std::uint16_t reg = first; reg < first + value.width; ++reg) {
      if (value_of_[reg] == first) value_of_[reg] = kNone;
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
  /// By register: the first register of the value in it; kNone if it has no value.
  std::array<std::uint16_t, kFirstPredicate> value_of_;
  std::array<Value, kFirstPredicate> values_{};  ///< By first register.
};

class ValueUse final : public LayeredOperands {
 public:
  ValueUse(const ValueUseParameters& parameters, std::unique_ptr<Operands> main)
      : LayeredOperands(std::move(main)),
        threads_of_static_warp_(parameters.values_of == "threads" ? std::size_t{kWarpSize} : 1),
        wide_are_one_(parameters.wide_values_are_one) {
    threads_.resize(kMaxWarps * threads_of_static_warp_);
  }

  Cycle read_sources(const IssuedPass& issued, Cycle now) override {
    // All passes of an instruction count as one instruction of each static warp.
    if (issued.number == 0) {
      for (const StaticWarp& static_warp : issued.static_warps) follow(issued, static_warp, true);
    }
    return main().read_accessed(issued, now);
  }
  Cycle write_results(const IssuedInstruction& issued, Cycle done) override {
    return main().write_accessed(issued, done);
  }
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

  /// Counts an instruction of a static warp. `reads`: whether to count its reads. The sources of
  /// control instructions are not read through operand policies, and no other policy counts them.
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

  /// Counts an instruction of a thread. `executes`: whether the instruction's guard holds for it.
  void follow_in(ValuesOfThread& thread, const IssuedInstruction& issued, bool reads,
                 bool executes) {
    const bool in_shared_unit = is_shared(issued.info.unit);
    thread.count_instruction();
    if (!executes) return;
    for (const std::uint16_t reg : issued.table.reads(issued.info)) {
      if (reads && reg < kFirstPredicate) thread.read(reg, in_shared_unit);
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
    [](const ValueUseParameters& parameters, const OperandDescription& description) {
      return std::make_unique<ValueUse>(
          parameters, OperandsRegistry::make(parameters.watched, description, description));
    }};

}  // namespace
}  // namespace heddle::sm
