#pragma once

// Properties of operations that do not depend on an instruction's type and suffixes: the columns of
// operation.def.

#include <cstdint>
#include <string_view>

#include "code/operation.h"

namespace heddle::code {

/// The type of work that an operation does. The simulated GPU's configuration decides which
/// execution unit does it (sm/instructions/unit_of.cpp).
enum class FunctionalClass : std::uint8_t {
  integer,           ///< Integer arithmetic; moves, selects and bit manipulation of any type.
  arithmetic,        ///< Integer or floating-point, depending on the type.
  comparison,        ///< Integer or floating-point, depending on the source type.
  conversion,        ///< Between integers and floating-point numbers, of any width.
  function,          ///< Special functions that hardware looks up in a table: sines, logarithms.
  refined_function,  ///< Division, roots: looked up if approximate, else computed step by step.
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

/// What executes the operation. Most operations are executed by the lanes, each for its own thread.
/// The warp's control unit executes those that can change the program counter, the active threads
/// or the warp's state.
enum class Executor : std::uint8_t { lanes, control };

/// What the operation does besides writing its destinations (code/effects.cpp).
enum class EffectsClass : std::uint8_t {
  pure,     ///< It does nothing else; the result depends only on the sources.
  special,  ///< Reads a special register; some of them change over time.
  load,     ///< Reads memory of a space that may be constant.
  reads,    ///< Reads memory that stores can change, in any case.
  store,
  updates,  ///< Reads memory and writes it.
  hint,
  active_lanes,  ///< The result depends on which lanes are active.
  across_lanes,  ///< Synchronises the lanes of its member mask and reads their values.
  ordered,       ///< Keeps its position among all other instructions.
  synchronises,  ///< Ordered; makes earlier accesses of its threads visible to others.
};

/// The latency that the compiler's instruction scheduling expects (code/optimise/latency.cpp).
enum class LatencyClass : std::uint8_t {
  brief,     ///< A few cycles.
  function,  ///< A special function.
  exchange,  ///< An exchange between the lanes of a warp.
  memory,    ///< A memory access; depends on the space.
  far,       ///< Textures, surfaces and reloads: as slow as global memory.
};

/// The number of 32-bit hardware instructions that one operation counts as, by its type. Heddle's
/// machine code has a single instruction for an operation on 64-bit integers, a division or a root.
/// Compilers for real hardware expand these. The numbers are rounded from what those compilers
/// emit, for operands that take the common path.
struct Expansion {
  std::uint8_t integer_instructions = 1;
  std::uint8_t wide_integer_instructions = 1;  ///< For 64-bit integers.
  std::uint8_t float_instructions = 1;         ///< If computed step by step, not looked up.
  std::uint8_t wide_float_instructions = 1;    ///< For f64.
  /// Registers for intermediate results; see scratch_registers() in code/allocate/scratch.h.
  std::uint8_t scratch_registers = 0;

  /// A copy with these numbers for floating-point types.
  constexpr Expansion floats(std::uint8_t narrow, std::uint8_t wide) const {
    Expansion changed = *this;
    changed.float_instructions = narrow;
    changed.wide_float_instructions = wide;
    return changed;
  }
  /// A copy with this number of scratch registers.
  constexpr Expansion scratch(std::uint8_t registers) const {
    Expansion changed = *this;
    changed.scratch_registers = registers;
    return changed;
  }
};

/// An entry of operation.def.
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
