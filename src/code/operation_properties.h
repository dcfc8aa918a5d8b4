#pragma once

// Properties of operations that do not depend on an instruction's type and suffixes: the columns of
// operation.def.

#include <cstdint>
#include <string_view>

#include "code/operation.h"

namespace heddle::code {

/// The kind of work that an operation does. The machine decides which unit does it
/// (sm/units/unit_of.cpp).
enum class FunctionalClass : std::uint8_t {
  integer,           ///< Also moves, selects and bit manipulation, of any type.
  arithmetic,        ///< Integer or floating-point, depending on the type.
  comparison,        ///< Integer or floating-point, depending on the source type.
  conversion,        ///< Between integers and floating-point numbers, of any width.
  function,          ///< Looked up in a table: sines, logarithms, powers of two.
  refined_function,  ///< Looked up in a table if approximate, else computed step by step.
  exchange,          ///< Between the lanes of a warp.
  load,
  store,
  atomic,
  copy,  ///< From memory to memory.
  texture,
  texture_query,  ///< Queries of properties that belong to a handle.
  surface,
  hint,         ///< Prefetches: they have no effect on values.
  branch,       ///< Everything that sets the program counter, including calls, returns and exits.
  system_call,  ///< Calls of the device's run-time system.
  barrier,
  fence,
  wait,  ///< Waits for lanes of the warp, for its copies, or for a time.
};

/// What executes the operation. The lanes execute plain functions of each lane. The warp's control
/// unit executes what can change the program counter, the active threads or the warp's state.
enum class Executor : std::uint8_t { lanes, control };

/// What the operation does besides writing its destinations (code/effects.cpp).
enum class EffectsClass : std::uint8_t {
  pure,     ///< It does nothing else; the result depends only on the sources.
  special,  ///< It does nothing else, but some special registers change over time.
  load,     ///< Reads memory; some spaces never change.
  reads,    ///< Reads memory that stores can change.
  store,
  updates,  ///< Reads memory and writes it.
  hint,
  active_lanes,  ///< It does nothing else, but the result depends on which lanes are active.
  across_lanes,  ///< Synchronises the lanes of its member mask and reads their values.
  ordered,       ///< Keeps its position among all other instructions.
  synchronises,  ///< Ordered; makes earlier accesses of its threads visible to others.
};

/// The expected latency of the result, for instruction scheduling (code/optimise/latency.cpp).
enum class LatencyClass : std::uint8_t { brief, function, exchange, memory, far };

/// The number of 32-bit hardware instructions that one operation counts as. Heddle's machine code
/// has a single instruction for an operation on 64-bit integers, a division or a root. Compilers
/// for real hardware expand these. The numbers are rounded from what those compilers emit, for
/// operands that take the common path.
struct Expansion {
  std::uint8_t of_integers = 1;
  std::uint8_t of_wide_integers = 1;  ///< 64 bits
  std::uint8_t of_floats = 1;         ///< If computed step by step, not looked up.
  std::uint8_t of_wide_floats = 1;    ///< f64
  /// Registers for intermediate results; see scratch_registers() in code/allocate/scratch.h.
  std::uint8_t scratch_registers = 0;

  constexpr Expansion floats(std::uint8_t narrow, std::uint8_t wide) const {
    Expansion changed = *this;
    changed.of_floats = narrow;
    changed.of_wide_floats = wide;
    return changed;
  }
  constexpr Expansion scratch(std::uint8_t registers) const {
    Expansion changed = *this;
    changed.scratch_registers = registers;
    return changed;
  }
};

struct OperationProperties {
  std::string_view name;
  FunctionalClass functional_class;
  Executor executor;
  EffectsClass effects;
  LatencyClass latency;
  Expansion expansion;
};

const OperationProperties& properties_of(Operation operation);

}  // namespace heddle::code
