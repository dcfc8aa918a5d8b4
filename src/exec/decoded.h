#pragma once

// A decoded instruction is a machine instruction that is ready to execute: its handler and the
// locations of its operands.

#include <cstdint>
#include <vector>

#include "base/host_lines.h"

namespace heddle::exec {

struct WarpContext;
struct Decoded;

/// Executes an instruction for the lanes in WarpContext::active.
using Handler = void (*)(WarpContext&, const Decoded&);

/// The location of an operand: a vector register (exec/block/vector_register.h) among the warp's
/// registers, the program's immediates or the launch's constants. A 64-bit operand takes two
/// consecutive vector registers, the low 32 bits first.
class OperandRef {
 public:
  enum class Base : std::uint32_t { registers, immediates, constants };

  constexpr OperandRef() = default;
  constexpr OperandRef(Base base, std::uint32_t vector_register)
      : bits_(static_cast<std::uint32_t>(base) << 30 | vector_register * 32) {}
  static constexpr OperandRef none() { return {}; }

  constexpr bool present() const { return bits_ != kAbsent; }
  /// The Base, as an index into WarpContext::base.
  constexpr std::uint32_t base() const { return bits_ >> 30; }
  /// The index of the operand's first 32-bit word, that of lane 0, after the base.
  constexpr std::uint32_t first_word() const { return bits_ & 0x3fff'ffff; }
  friend constexpr bool operator==(OperandRef, OperandRef) = default;

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};
  std::uint32_t bits_ = kAbsent;
};

/// A predicate register, optionally complemented. Predicate register p is in slot p + 1. Slot 0 is
/// always true.
class PredicateRef {
 public:
  constexpr PredicateRef() = default;
  constexpr PredicateRef(std::uint32_t predicate_register, bool negated)
      : bits_(static_cast<std::uint16_t>((predicate_register + 1) << 1 | (negated ? 1U : 0U))) {}
  static constexpr PredicateRef always() { return {}; }

  constexpr std::uint32_t slot() const { return bits_ >> 1; }
  constexpr bool negated() const { return (bits_ & 1) != 0; }
  /// False for always(). As a destination, always() means that there is no destination.
  constexpr bool present() const { return bits_ != 0; }

 private:
  std::uint16_t bits_ = 0;
};

/// A decoded instruction, in one cache line of the host.
struct alignas(kHostLineBytes) Decoded {
  Handler handler = nullptr;  ///< Null if Control executes the instruction.
  OperandRef destination[4];
  OperandRef source[5];
  PredicateRef guard;
  PredicateRef predicate_destination[2];
  PredicateRef predicate_source[2];
  std::uint8_t source_count = 0;
  bool is_control : 1 = false;     ///< Whether Control executes it; see `handler`.
  bool names_members : 1 = false;  ///< Whether it is warp-wide and has a member mask.
  /// The offset that a memory instruction adds to its address. If the instruction has more than 5
  /// sources, all its sources are in WarpContext::more_sources, and `offset` is the index of the
  /// first one there.
  std::int32_t offset = 0;
  std::uint32_t index = 0;  ///< The program counter, which is the index of its code::Instruction.
};
static_assert(sizeof(Decoded) == 64);

}  // namespace heddle::exec
