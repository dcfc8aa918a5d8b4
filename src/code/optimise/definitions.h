#pragma once

// Which values are defined once, so that they mean the same wherever they are read.

#include <cstdint>
#include <vector>

#include "code/dominators.h"
#include "code/function.h"
#include "code/liveness.h"

namespace heddle::code {

class Definitions {
 public:
  struct Place {
    BlockIndex block = kNone;
    std::uint32_t index = 0;
  };

  Definitions(const Function& function, const DominatorTree& dominators);

  const ValueNumbering& values() const { return values_; }
  /// Written exactly once, whatever the guard, on every path to each of its readers: as in static
  /// single assignment, one value may then stand for another.
  bool is_single(std::uint32_t value) const { return single_[value]; }
  Place place(std::uint32_t value) const { return places_[value]; }
  std::uint32_t readers(std::uint32_t value) const { return readers_[value]; }
  /// The one instruction that writes the register, or null.
  const Instruction* writer(const Function& function, const Operand& operand) const {
    if (!operand.is_register() && !operand.is_predicate()) return nullptr;
    const std::uint32_t value = values_.of(operand);
    if (!single_[value]) return nullptr;
    return &function.blocks[places_[value].block].instructions[places_[value].index];
  }

 private:
  ValueNumbering values_;
  std::vector<bool> single_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> readers_;
};

}  // namespace heddle::code
