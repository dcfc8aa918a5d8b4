#pragma once

// The values that can be kept in an upper level (Gebhart's dissertation on on-chip storage for
// throughput processors, sections 6.4.1, 6.4.3 and 6.4.4): a word that is written in a strand, by
// one instruction or by several that reach a common read, and read in it; or a word that has been
// written before, from its first read in the strand on.

#include <cstdint>
#include <vector>

#include "code/placement/code_order.h"
#include "code/placement/hierarchy.h"
#include "code/placement/strands.h"

namespace heddle::code {

struct ValueRead {
  Position at = 0;
  std::uint16_t slots = 0;    ///< The sources that name it, a bit each.
  std::uint32_t reached = 0;  ///< Index into Value::reaching.
};

/// What can bring a value into an upper level.
struct ValueWriter {
  Position at = 0;
  bool keeps_old = false;   ///< Some threads keep what an earlier writer of the value wrote.
  bool needs_main = false;  ///< Whatever becomes of the value's reads.
};

struct Value {
  std::uint16_t word = 0;
  bool is_read_operand = false;        ///< Its writer is its first read in the strand.
  std::vector<ValueWriter> writers{};  ///< By position.
  std::vector<ValueRead> reads{};      ///< That an upper level could serve; by position.
  /// Which writers reach a read: indices into `writers`.
  std::vector<std::vector<std::uint32_t>> reaching{};
};

struct WordAt {
  Position at = 0;
  std::uint16_t word = 0;
};

struct Values {
  std::vector<Value> values;
  std::vector<WordAt> live_out;  ///< Written there, and read in another strand.
};

Values find_values(const CodeOrder& code, const Strands& strands, const Hierarchy& hierarchy);

}  // namespace heddle::code
