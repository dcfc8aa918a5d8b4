#pragma once

// A machine instruction ready to execute: a handler and where its operands lie.

#include <cstdint>
#include <vector>

#include "base/host_lines.h"

namespace heddle::exec {

struct LaneContext;
struct Decoded;

/// Executes an instruction for the lanes in LaneContext::active.
using Handler = void (*)(LaneContext&, const Decoded&);

/// Where the 32 lanes of an operand lie: a row of 32 words in the warp's registers, among the
/// program's immediates or among the launch's constants. A 64-bit operand is two rows, low first.
class RowRef {
 public:
  enum class Base : std::uint32_t { registers, immediates, constants };

  constexpr RowRef() = default;
  constexpr RowRef(Base base, std::uint32_t row)
      : bits_(static_cast<std::uint32_t>(base) << 30 | row * 32) {}
  static constexpr RowRef none() { return {}; }

  constexpr bool present() const { return bits_ != kAbsent; }
  constexpr std::uint32_t base() const { return bits_ >> 30; }
  constexpr std::uint32_t word() const { return bits_ & 0x3fff'ffff; }
  friend constexpr bool operator==(RowRef, RowRef) = default;

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};
  std::uint32_t bits_ = kAbsent;
};

/// A predicate register, perhaps complemented. Slot 0 is always true; register p is slot p + 1.
class PredicateRef {
 public:
  constexpr PredicateRef() = default;
  constexpr PredicateRef(std::uint32_t predicate_register, bool negated)
      : bits_(static_cast<std::uint16_t>((predicate_register + 1) << 1 | (negated ? 1U : 0U))) {}
  static constexpr PredicateRef always() { return {}; }

  constexpr std::uint32_t slot() const { return bits_ >> 1; }
  constexpr bool negated() const { return (bits_ & 1) != 0; }
  /// False for `always`, which as a destination means that there is none.
  constexpr bool present() const { return bits_ != 0; }

 private:
  std::uint16_t bits_ = 0;
};

struct alignas(kHostLineBytes) Decoded {
  Handler handler = nullptr;  ///< Null where the control unit executes it.
  RowRef destination[4];
  RowRef source[5];
  PredicateRef guard;
  PredicateRef predicate_destination[2];
  PredicateRef predicate_source[2];
  std::uint8_t source_count = 0;
  bool control : 1 = false;
  bool names_members : 1 = false;  ///< It is one across the lanes of a warp, those that it names.
  /// Of a memory address. Where an instruction has more than 5 sources: the index of its first
  /// row in LaneContext::more_sources, where all of them stand.
  std::int32_t offset = 0;
  std::uint32_t index = 0;  ///< Of the code::Instruction it was made from: its program counter.
};
static_assert(sizeof(Decoded) == 64);

}  // namespace heddle::exec
