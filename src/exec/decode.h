#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "code/program.h"
#include "exec/block/vector_register.h"
#include "exec/decoded.h"
#include "exec/vector_unit.h"

namespace heddle::exec {

/// The addresses at which the program's variables were loaded, by variable index.
struct SymbolAddresses {
  std::vector<std::uint64_t> variables;  ///< In the variable's own address space.
  std::vector<std::uint64_t> generic;    ///< In the generic address space.
};

/// What can be observed while a decoded program executes.
enum class Observation : std::uint8_t {
  none,
  accesses,  ///< Accesses to global memory (exec/observation/observed_access.h).
};

/// A program that is ready to execute.
struct DecodedProgram {
  std::vector<Decoded> instructions;       ///< By program counter.
  std::vector<VectorRegister> immediates;  ///< The values of immediate operands, once each.
  /// The contents of the constant registers of a launch (Launch::constants). Each entry is the byte
  /// offset, in the launch constants (code/launch_constants.h), of the 32-bit word in that
  /// register.
  std::vector<std::uint32_t> constant_words;
  std::vector<OperandRef> more_sources;  ///< See Decoded::offset.
  /// Program counters of instructions without a handler. A kernel that can reach one of them must
  /// not be launched.
  std::vector<std::uint32_t> without_handler;
  /// With Observation::accesses: WarpContext::plain_handlers. Otherwise empty.
  std::vector<Handler> plain_handlers;
};

/// Decodes machine instructions one after another: chooses their handlers, and turns their operands
/// into references to vector registers.
class Decoder {
 public:
  Decoder(const SymbolAddresses& symbols, const VectorUnit& unit,
          Observation observation = Observation::none)
      : symbols_(symbols), unit_(unit), observation_(observation) {}

  void append(const code::Instruction& instruction);
  /// Returns the program. The decoder must not be used afterwards.
  DecodedProgram finish() { return std::move(out_); }

 private:
  OperandRef operand_ref(const code::Operand& operand);
  OperandRef immediate_ref(std::uint64_t bits);
  OperandRef constant_ref(std::uint32_t byte_offset, int width);

  const SymbolAddresses& symbols_;
  const VectorUnit& unit_;
  Observation observation_;
  DecodedProgram out_;
  std::map<std::uint64_t, OperandRef> immediates_;
  std::map<std::pair<std::uint32_t, int>, OperandRef> constants_;
};

DecodedProgram decode(const code::Program& program, const SymbolAddresses& symbols,
                      const VectorUnit& unit, Observation observation = Observation::none);

}  // namespace heddle::exec
