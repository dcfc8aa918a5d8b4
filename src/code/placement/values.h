#pragma once

// The values that can be kept in an upper level (Gebhart's dissertation on on-chip storage for
// throughput processors, sections 6.4.1, 6.4.3 and 6.4.4). There are two types of values:
// - A word that one strand writes and reads. If several writers reach the same read, they belong to
//   one value.
// - A word that was written before the strand, from its first read in the strand on. It is called a
//   read operand.

#include <cstdint>
#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"
#include "code/placement/strands.h"

namespace heddle::code {

/// A read of a value.
struct ValueRead {
  Position at = 0;
  std::uint16_t source_mask = 0;  ///< Bit i: source operand i names the word.
  std::uint32_t writer_set = 0;   ///< Index into Value::writer_sets.
};

/// An instruction that can bring a value into an upper level.
struct ValueWriter {
  Position at = 0;
  bool keeps_old = false;   ///< Its guard makes some threads keep an earlier writer's result.
  bool needs_main = false;  ///< It must write the main file in any case.
};

/// A value, the instructions that produce it, and those that read it.
struct Value {
  std::uint16_t word = 0;
  bool is_read_operand = false;        ///< Its writer is its first read in the strand.
  std::vector<ValueWriter> writers{};  ///< In order of position.
  std::vector<ValueRead> reads{};      ///< Those that an upper level could serve, by position.
  /// The sets of writers (indices into `writers`) that reach the reads.
  std::vector<std::vector<std::uint32_t>> writer_sets{};
};

/// A word that the instruction at a position writes.
struct WordAt {
  Position at = 0;
  std::uint16_t word = 0;
};

/// The values of a function.
struct Values {
  std::vector<Value> values;
  std::vector<WordAt> live_out;  ///< Words written in one strand and read in another.
};

/// Finds the values of a function that has these strands.
Values find_values(const CodeOrder& code, const Strands& strands, const Hierarchy& hierarchy);

}  // namespace heddle::code
