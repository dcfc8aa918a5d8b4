#pragma once

// What an operation is, whatever the type and the suffixes of an instruction: the columns of
// operation.def.

#include <cstdint>
#include <string_view>

#include "code/operation.h"

namespace heddle::code {

/// What kind of work an operation is. On which unit of a machine that is done is the machine's
/// matter (sm/units/unit_of.cpp).
enum class FunctionalClass : std::uint8_t {
  integer,           ///< Also moves, choices and whatever takes bits apart, of any type.
  arithmetic,        ///< Of integers or floating-point numbers, as the type says.
  comparison,        ///< The same, but the type of what is compared says it.
  conversion,        ///< Between integers and floating-point numbers, of any width.
  function,          ///< Looked up in a table: sines, logarithms, powers of two.
  refined_function,  ///< Looked up where approximate, else worked out by arithmetic.
  exchange,          ///< Between the lanes of a warp.
  load,
  store,
  atomic,
  copy,  ///< From memory to memory.
  texture,
  texture_query,  ///< Of what a handle says.
  surface,
  hint,         ///< Names an address, but does nothing with it.
  branch,       ///< Whatever sets the program counter: calls, returns and exits, too.
  system_call,  ///< To the device's run-time system.
  barrier,
  fence,
  wait,  ///< For lanes of the warp, for its copies, or for a time.
};

/// What executes it: the lanes, of which it is a plain function, or the warp's control unit, as it
/// can change the program counter, the active threads or the warp's state.
enum class Executor : std::uint8_t { lanes, control };

/// What it does besides writing its destinations (code/effects.cpp).
enum class EffectsClass : std::uint8_t {
  pure,     ///< Nothing, and they depend on nothing but its sources.
  special,  ///< Nothing, but some special registers change.
  load,     ///< Reads memory, of which some spaces never change.
  reads,    ///< Reads memory that stores can change.
  store,
  updates,  ///< Reads memory and writes it.
  hint,
  active_lanes,  ///< Nothing, but it depends on which lanes are there.
  across_lanes,  ///< Makes lanes meet, which it names, to read what the others have.
  ordered,       ///< Keeps its place among all others.
  synchronises,  ///< Ordered, and others see afterwards what its threads did before.
};

/// How far away its result is, to order instructions by (code/optimise/latency.cpp).
enum class LatencyClass : std::uint8_t { brief, function, exchange, memory, far };

/// Our machine code keeps PTX's 64-bit integers, divisions and roots whole; hardware makes them
/// from instructions of 32 bits. This is how many they are: rounded counts of what compilers for it
/// emit, for operands that take the common path.
struct Expansion {
  std::uint8_t of_integers = 1;
  std::uint8_t of_wide_integers = 1;  ///< 64 bits
  std::uint8_t of_floats = 1;         ///< Where it is worked out by arithmetic: not looked up.
  std::uint8_t of_wide_floats = 1;    ///< f64
  /// Registers for what is in between; see scratch_registers in code/allocate/scratch.h.
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
