#pragma once

// The values that can be kept in an upper level (Gebhart's dissertation on on-chip storage for
// throughput processors, sections 6.4.1, 6.4.3 and 6.4.4). A value is a word that is written and
// read in a strand; several writers that reach a common read belong to one value. A word that was
// written before the strand is a value, too, from its first read in the strand on. It is called a
// read operand.

#include <cstdint>
#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"
#include "code/placement/strands.h"

namespace heddle::code {

struct ValueRead {
  Position at = 0;
  std::uint16_t slots = 0;    ///< A bit for each source operand that names the word.
  std::uint32_t reached = 0;  ///< Index into Value::reaching.
};

/// An instruction that can bring a value into an upper level.
struct ValueWriter {
  Position at = 0;
  bool keeps_old = false;   ///< It is guarded: some threads keep the result of an earlier writer.
  bool needs_main = false;  ///< It must write the main file in any case.
};

struct Value {
  std::uint16_t word = 0;
  bool is_read_operand = false;        ///< Its writer is its first read in the strand.
  std::vector<ValueWriter> writers{};  ///< By position.
  std::vector<ValueRead> reads{};      ///< Reads that an upper level could serve, by position.
  /// Sets of writers (indices into `writers`) that reach a read; ValueRead::reached selects one.
  std::vector<std::vector<std::uint32_t>> reaching{};
};

/// A word that the instruction at a position writes.
struct WordAt {
  Position at = 0;
  std::uint16_t word = 0;
};

struct Values {
  std::vector<Value> values;
  std::vector<WordAt> live_out;  ///< Words written in one strand and read in another.
};

Values find_values(const CodeOrder& code, const Strands& strands, const Hierarchy& hierarchy);

}  // namespace heddle::code
