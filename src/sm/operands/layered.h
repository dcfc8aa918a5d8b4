#pragma once

// Operands that have levels above a main register file. The file is another answer, which counts
// its own accesses, and its banks and ports serve what reaches it.

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "base/inline_vector.h"
#include "sm/operands/operands.h"

namespace heddle::sm {

class LayeredOperands : public Operands {
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
  void declare(CounterList& counters) override { main_->declare(counters); }

 protected:
  Operands& main() { return *main_; }
  // An instruction has twelve sources of four words at most.
  using Registers = InlineVector<std::uint16_t, 64>;
  /// How many of an instruction's sources, or of its destinations, some registers belong to: a wide
  /// one has several.
  struct OperandCount {
    std::size_t count = 0;

    /// In the order of the instruction's registers: RegisterUse::operand.
    void add(std::uint8_t operand) {
      if (operand != latest) ++count;
      latest = operand;
    }

    std::uint8_t latest = 0xff;
  };
  struct SourcesInMain {
    Registers registers{};
    OperandCount operands{};

    void add(std::uint16_t word, std::uint8_t operand) {
      registers.push_back(word);
      operands.add(operand);
    }
  };
  static std::span<const std::uint16_t> span_of(const Registers& registers) {
    return {registers.begin(), registers.size()};
  }

  /// An instruction reads `in_main` of its sources from the file, and others from above: those come
  /// when they would from the file, as no stage is left out (section 5.2.2).
  Cycle read_main(WarpSlot warp, const Registers& in_main, bool others, Cycle now) {
    const Cycle read = in_main.empty() ? now : main_->read(warp, span_of(in_main), now);
    return others ? std::max(read, now + main_latency_) : read;
  }
  Cycle write_main(WarpSlot warp, const Registers& to_main, Cycle done) {
    return to_main.empty() ? done : main_->write(warp, span_of(to_main), done);
  }

 private:
  std::unique_ptr<Operands> main_;
  Cycles main_latency_;
};

/// The rows whose threads a slot has, as far as they have issued.
class RowsOfSlots {
 public:
  void note(WarpSlot warp, WarpSlot home) { homes_[warp] |= set_of(home); }
  WarpSet operator[](WarpSlot warp) const { return homes_[warp]; }
  WarpSet take(WarpSlot warp) { return std::exchange(homes_[warp], 0); }

 private:
  std::array<WarpSet, kMostWarps> homes_{};
};

}  // namespace heddle::sm
