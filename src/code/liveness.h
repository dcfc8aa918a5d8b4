#pragma once

// Liveness of virtual registers and predicates. A guarded write keeps the old value in the lanes
// that its guard excludes. Divergent threads keep their values in different lanes of the same
// registers. So a value that is live on one side of a branch may share its register with a value of
// the other side.

#include <cstdint>
#include <vector>

#include "code/control_flow.h"
#include "code/function.h"

namespace heddle::code {

/// Numbers all virtual registers and predicates together: registers first, then predicates. A value
/// is one of these numbers.
class ValueNumbering {
 public:
  explicit ValueNumbering(const Function& function)
      : register_count_(static_cast<std::uint32_t>(function.registers.size())),
        count_(register_count_ + function.predicates) {}

  std::uint32_t count() const { return count_; }
  std::uint32_t first_value_of(RegisterClass register_class) const {
    return register_class == RegisterClass::general ? 0 : register_count_;
  }
  RegisterClass class_of(std::uint32_t value) const {
    return value < register_count_ ? RegisterClass::general : RegisterClass::predicate;
  }
  bool is_predicate(std::uint32_t value) const { return value >= register_count_; }
  /// The index of the virtual register in its class.
  std::uint32_t index_of(std::uint32_t value) const {
    return value - first_value_of(class_of(value));
  }
  std::uint32_t number_of(const Operand& operand) const {
    return operand.is_predicate() ? register_count_ + operand.index : operand.index;
  }
  std::uint32_t number_of(const Guard& guard) const { return register_count_ + guard.predicate; }

 private:
  std::uint32_t register_count_ = 0;
  std::uint32_t count_ = 0;
};

/// The values that are live at the entry and exit of each block.
class Liveness {
 public:
  Liveness(const Function& function, const Graph& control_flow);

  bool is_live_in(BlockIndex block, std::uint32_t value) const { return test(in_, block, value); }
  bool is_live_out(BlockIndex block, std::uint32_t value) const { return test(out_, block, value); }
  template <class Visit>
  void for_each_live_in(BlockIndex block, Visit&& visit) const {
    for_each(in_, block, visit);
  }
  template <class Visit>
  void for_each_live_out(BlockIndex block, Visit&& visit) const {
    for_each(out_, block, visit);
  }

 private:
  /// A set of values for each block: words_ words of 64 bits for each, block after block.
  using BlockSets = std::vector<std::uint64_t>;

  void solve_backward(const Graph& control_flow, const BlockSets& exposed, const BlockSets& killed);
  void drop_never_written(const Function& function, const Graph& control_flow,
                          const ValueNumbering& values);
  bool test(const BlockSets& sets, BlockIndex block, std::uint32_t value) const;
  template <class Visit>
  void for_each(const BlockSets& sets, BlockIndex block, Visit& visit) const {
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = sets[block * words_ + word]; bits != 0; bits &= bits - 1) {
        visit(crossing_[word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits))]);
      }
    }
  }

  // Only values that some block reads before it writes them can be live across a block boundary.
  // The sets have a bit for each of these values.
  std::vector<std::uint32_t> crossing_;  ///< The values that can cross a boundary.
  std::vector<std::uint32_t> bit_of_;    ///< By value: its index in crossing_, or kNone.
  std::size_t words_ = 0;                ///< The number of 64-bit words in a block's set.
  BlockSets in_, out_;                   ///< The values that are live at entry and at exit.
};

}  // namespace heddle::code
