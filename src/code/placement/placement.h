#pragma once

// Placements: from which register-file levels an instruction reads its words, and to which levels
// it writes them.

#include <cstdint>

#include "base/inline_vector.h"
#include "code/placement/hierarchy.h"

namespace heddle::code {

/// The place of a word in an upper level: the operand file (ORF) or the last-result file (LRF). If
/// `level` is main, there is none.
struct UpperPlace {
  RegisterLevel level = RegisterLevel::main;
  /// The entry of the operand file, or the operand slot of a split last-result file.
  std::uint8_t entry = 0;

  bool present() const { return level != RegisterLevel::main; }
  friend bool operator==(const UpperPlace&, const UpperPlace&) = default;
};

/// A physical register that is read. It is listed once, even if several sources name it.
struct ReadPlace {
  std::uint16_t word = 0;
  UpperPlace from{};  ///< Where it is read. None: in the main file.
  /// The place to which a word that is read from the main file is also written (section 6.4.3).
  UpperPlace fill_place{};

  friend bool operator==(const ReadPlace&, const ReadPlace&) = default;
};

/// A physical register that is written, in the main file, in an upper level, or in both.
struct WritePlace {
  std::uint16_t word = 0;
  bool main = true;       ///< Whether it is written to the main file.
  UpperPlace upper{};     ///< The place in an upper level to which it is written, if any.
  bool live_out = false;  ///< Whether the value is read after its strand.

  friend bool operator==(const WritePlace&, const WritePlace&) = default;
};

/// The places of one instruction's words.
struct InstructionPlacement {
  /// Whether a strand begins before the instruction: the upper levels are then empty (section 6.3).
  bool begins_strand = false;
  /// Whether the warp is suspended before the instruction until all pending results of long-latency
  /// operations have arrived.
  bool suspends = false;
  InlineVector<ReadPlace, 48> reads;  ///< In the order in which sources first name them.
  InlineVector<WritePlace, 32> writes;

  friend bool operator==(const InstructionPlacement&, const InstructionPlacement&) = default;
};

}  // namespace heddle::code
