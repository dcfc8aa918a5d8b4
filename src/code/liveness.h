#pragma once

// Liveness of virtual registers and predicates. A guarded write keeps the old value of the lanes
// that it does not write. Divergent threads hold their values in different lanes of the same
// registers, so liveness on one path does not constrain another.

#include <cstdint>
#include <vector>

#include "code/control_flow.h"
#include "code/function.h"

namespace heddle::code {

/// One numbering of virtual registers and predicates: registers first, then predicates.
class ValueNumbering {
 public:
  explicit ValueNumbering(const Function& function)
      : registers_(static_cast<std::uint32_t>(function.registers.size())),
        count_(registers_ + function.predicates) {}

  std::uint32_t count() const { return count_; }
  std::uint32_t first_of(RegisterClass register_class) const {
    return register_class == RegisterClass::general ? 0 : registers_;
  }
  RegisterClass class_of(std::uint32_t value) const {
    return value < registers_ ? RegisterClass::general : RegisterClass::predicate;
  }
  bool is_predicate(std::uint32_t value) const { return value >= registers_; }
  /// The number of the virtual register in its class.
  std::uint32_t index_of(std::uint32_t value) const { return value - first_of(class_of(value)); }
  std::uint32_t number_of(const Operand& operand) const {
    return operand.is_predicate() ? registers_ + operand.index : operand.index;
  }
  std::uint32_t number_of(const Guard& guard) const { return registers_ + guard.predicate; }

 private:
  std::uint32_t registers_ = 0;
  std::uint32_t count_ = 0;
};

/// The values that are live at the entry and exit of each block.
class Liveness {
 public:
  Liveness(const Function& function, const Graph& control_flow);

  bool live_in(BlockIndex block, std::uint32_t value) const { return test(in_, block, value); }
  bool live_out(BlockIndex block, std::uint32_t value) const { return test(out_, block, value); }
  template <class Visit>
  void for_each_live_in(BlockIndex block, Visit&& visit) const {
    for_each(in_, block, visit);
  }
  template <class Visit>
  void for_each_live_out(BlockIndex block, Visit&& visit) const {
    for_each(out_, block, visit);
  }

 private:
  using Words = std::vector<std::uint64_t>;

  void solve_backward(const Graph& control_flow, const Words& exposed, const Words& killed);
  void drop_never_written(const Function& function, const Graph& control_flow,
                          const ValueNumbering& values);
  bool test(const Words& sets, BlockIndex block, std::uint32_t value) const;
  template <class Visit>
  void for_each(const Words& sets, BlockIndex block, Visit& visit) const {
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = sets[block * words_ + word]; bits != 0; bits &= bits - 1) {
        visit(crossing_[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))]);
      }
    }
  }

  // Only values that some block reads before it writes them can be live across a block boundary.
  // The sets have a bit for each of these values.
  std::vector<std::uint32_t> crossing_;  ///< These values.
  std::vector<std::uint32_t> bit_of_;    ///< By value: its index in crossing_, or kNone.
  std::size_t words_ = 0;                ///< Words in a block's set.
  Words in_, out_;
};

}  // namespace heddle::code
