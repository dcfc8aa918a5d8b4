#pragma once

// The base class of operand policies that are based on a main register file, for example with
// levels of registers above it. The main file is another policy, which counts its own accesses; its
// banks and ports serve the accesses that reach it.

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/inline_vector.h"
#include "sm/operands/operands.h"

namespace heddle::sm {

class LayeredOperands : public Operands,
                        public OperandLevels,
                        public ControlObserver,
                        public ActiveSetObserver {
 public:
  explicit LayeredOperands(std::unique_ptr<Operands> main)
      : main_(std::move(main)), main_latency_(main_->read_latency()) {}

  Cycle free_from(Cycle now) const override { return main_->free_from(now); }
  Cycles read_latency() const override { return main_latency_; }
  Cycle read(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle now) override {
    return main_->read(warp, registers, now);
  }
  Cycle write(WarpSlot warp, std::span<const std::uint16_t> registers, Cycle done) override {
    return main_->write(warp, registers, done);
  }
  BankPorts* share_ports() override { return main_->share_ports(); }
  void declare(CounterList& counters) override { main_->declare(counters); }
  OperandInterfaces interfaces() final {
    return {.levels = this, .control = this, .active_set = this};
  }

 protected:
  Operands& main() { return *main_; }
  using Registers = InlineVector<std::uint16_t, kMaxOperandRegisters>;  ///< Register numbers.
  /// Counts the operands to which registers belong. A wide operand has several registers.
  struct OperandCount {
    std::size_t count = 0;

    /// Adds a register. `operand`: its RegisterUse::operand. Registers must be added in the order
    /// of the instruction.
    void add(std::uint8_t operand) {
      if (operand != latest) ++count;
      latest = operand;
    }

    std::uint8_t latest = 0xff;  ///< The operand of the last register; 0xff if there was none.
  };
  /// The source registers of a pass that are in the main file.
  struct SourcesInMain {
    Registers registers{};
    OperandCount operands{};

    void add(std::uint16_t reg, std::uint8_t operand) {
      registers.push_back(reg);
      operands.add(operand);
    }
  };
  static std::span<const std::uint16_t> span_of(const Registers& registers) {
    return {registers.begin(), registers.size()};
  }

  /// Reads the sources `in_main` from the main file. Returns when all sources have arrived.
  /// `reads_above`: whether other sources are read from the levels above. They also take the
  /// latency of the main file, because no pipeline stage is skipped (Gebhart's dissertation,
  /// section 5.2.2).
  Cycle read_main(WarpSlot warp, const Registers& in_main, bool reads_above, Cycle now) {
    const Cycle read = in_main.empty() ? now : main_->read(warp, span_of(in_main), now);
    return reads_above ? std::max(read, now + main_latency_) : read;
  }
  /// Writes results to the main file, if there are any. Returns when they can be read.
  Cycle write_main(WarpSlot warp, const Registers& to_main, Cycle done) {
    return to_main.empty() ? done : main_->write(warp, span_of(to_main), done);
  }

 private:
  std::unique_ptr<Operands> main_;
  Cycles main_latency_;
};

/// For each warp slot: the hardware warps (places of static warps' registers) whose threads have
/// issued from it since the last take().
class HardwareWarpsOfSlots {
 public:
  void note(WarpSlot warp, HardwareWarpId hardware_warp) {
    hardware_warps_[warp] |= set_of(hardware_warp);
  }
  WarpSet operator[](WarpSlot warp) const { return hardware_warps_[warp]; }
  /// Returns and empties the set of a slot.
  WarpSet take(WarpSlot warp) { return std::exchange(hardware_warps_[warp], 0); }

 private:
  std::array<WarpSet, kMaxWarps> hardware_warps_{};
};

}  // namespace heddle::sm
