#pragma once

// A fixture with ready warps, and with the units, collectors and queues that they need. Tests fill
// these to cause structural hazards.

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string_view>

#include "configure.h"
#include "sm/contenders.h"
#include "sm/hazards/structural_hazards.h"
#include "sm/memory/load_store_fixture.h"

namespace heddle::sm {

/// Arithmetic instructions occupy the only pipe of their unit for 4 cycles. Each queue to memory
/// has one entry.
class HazardsFixture : public LoadStoreFixture {
 protected:
  HazardsFixture() {
    description.lsu.queue = 1;
    description.scratchpad.queue = 1;
    description.constant.queue = 1;
    description.texture.queue = 1;
  }

  void describe_operands(std::initializer_list<std::string_view> settings) {
    operand_description_ = configure<OperandDescription>(settings);
  }
  /// The object under test. The first call makes it from the current descriptions.
  StructuralHazards& hazards() {
    if (!hazards_) {
      operands_ = make_operands(operand_description_);
      hazards_.emplace(warps.all(), warps, *operands_, units, unit());
    }
    return *hazards_;
  }
  /// Issues an instruction that occupies a collector and reads this number of registers.
  void collect(std::uint16_t registers, std::uint64_t now) {
    std::vector<std::uint16_t> numbers;
    for (std::uint16_t i = 0; i < registers; ++i) numbers.push_back(i);
    hazards();
    operands_->read(0, numbers, Cycle(now));
  }
  void make_ready(WarpSlot warp, Resource resource) {
    take_slot_for(warps, grid, warp, resource);
    warps.make_ready(warp);
  }
  /// For each resource, makes a warp ready that needs it, in the warp slot of the resource's
  /// number.
  void make_all_ready() {
    for (std::size_t i = 0; i < kResources; ++i) {
      make_ready(static_cast<WarpSlot>(i), ByResource<int>::index_at(i));
    }
  }
  static WarpSet warp_for(Resource resource) { return set_of(static_cast<WarpSlot>(resource)); }
  /// Fills the queue of a path, with loads that conflict in a bank (shared memory) or with misses,
  /// which stay until memory responds.
  void fill(MemoryPath path, std::uint64_t now) {
    for (std::uint64_t i = 0; unit().accepts(path); ++i) {
      ASSERT_LT(i, 8u) << "a queue of one entry must fill up";
      const std::uint64_t step = path == MemoryPath::shared ? 128 : 256;
      unit().add(with_path(path, load(static_cast<std::uint32_t>(i), i << 20, step)), Cycle(now));
    }
  }

  static constexpr UnitDescription kQuarter{.lanes = 8, .latency = 10};
  ExecutionUnits units{{.integer = kQuarter,
                        .fp32 = kQuarter,
                        .fp64 = kQuarter,
                        .special = kQuarter,
                        .shared_alu = false}};
  const Grid grid = grid_of_contenders();
  WarpTable warps{16};

 private:
  OperandDescription operand_description_;
  std::unique_ptr<Operands> operands_;
  std::optional<StructuralHazards> hazards_;
};

}  // namespace heddle::sm
