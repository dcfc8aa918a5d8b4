#pragma once

// Where the words that an instruction reads come from, and where those that it writes go.

#include <cstdint>

#include "base/inline_vector.h"
#include "code/placement/hierarchy.h"

namespace heddle::code {

/// A word of a level above the main file; none where `level` is main.
struct UpperPlace {
  RegisterLevel level = RegisterLevel::main;
  /// Of the operand file; of a split last-result file, the operand slot.
  std::uint8_t entry = 0;

  bool present() const { return level != RegisterLevel::main; }
  friend bool operator==(const UpperPlace&, const UpperPlace&) = default;
};

/// A physical register that is read. It is in the list once, even if several sources name it.
struct ReadPlace {
  std::uint16_t word = 0;
  UpperPlace from{};   ///< None: from the main file.
  UpperPlace fills{};  ///< Read from the main file, it is also written there (section 6.4.3).

  friend bool operator==(const ReadPlace&, const ReadPlace&) = default;
};

struct WritePlace {
  std::uint16_t word = 0;
  bool main = true;
  UpperPlace upper{};
  bool live_out = false;  ///< Of its strand.

  friend bool operator==(const WritePlace&, const WritePlace&) = default;
};

/// Of one instruction.
struct InstructionPlacement {
  /// A strand begins here: nothing is in an upper level (section 6.3).
  bool begins_strand = false;
  /// Before it the warp is suspended until all that it has asked of long-latency operations is
  /// there; a strand begins then, too.
  bool suspends = false;
  InlineVector<ReadPlace, 48> reads;  ///< In the order in which sources name them first.
  InlineVector<WritePlace, 32> writes;

  friend bool operator==(const InstructionPlacement&, const InstructionPlacement&) = default;
};

}  // namespace heddle::code
