#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "code/program.h"
#include "exec/block/row.h"
#include "exec/decoded.h"
#include "exec/vector_unit.h"

namespace heddle::exec {

/// Where loading put the program's variables, by index.
struct SymbolAddresses {
  std::vector<std::uint64_t> variables;  ///< In the variable's own space.
  std::vector<std::uint64_t> generic;
};

/// A program ready to execute.
struct DecodedProgram {
  std::vector<Decoded> instructions;  ///< By program counter.
  std::vector<Row> immediates;
  /// Which word of the launch constants (as a byte offset) each constant row holds.
  std::vector<std::uint32_t> constant_words;
  std::vector<RowRef> more_sources;
  /// Program counters of instructions that have no handler: whatever can reach one of them must
  /// not be launched.
  std::vector<std::uint32_t> without_handler;
};

/// Turns machine instructions into decoded ones, and operands into rows.
class Decoder {
 public:
  Decoder(const SymbolAddresses& symbols, const VectorUnit& unit)
      : symbols_(symbols), unit_(unit) {}

  void append(const code::Instruction& instruction);
  DecodedProgram finish() { return std::move(out_); }

 private:
  RowRef row_of(const code::Operand& operand);
  RowRef immediate_row(std::uint64_t bits);
  RowRef constant_row(std::uint32_t byte_offset, int width);

  const SymbolAddresses& symbols_;
  const VectorUnit& unit_;
  DecodedProgram out_;
  std::map<std::uint64_t, RowRef> immediates_;
  std::map<std::pair<std::uint32_t, int>, RowRef> constants_;
};

DecodedProgram decode(const code::Program& program, const SymbolAddresses& symbols,
                      const VectorUnit& unit);

}  // namespace heddle::exec
