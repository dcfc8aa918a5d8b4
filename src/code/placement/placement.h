#pragma once

// Placements: from which register-file levels (hierarchy.h) an instruction reads its operands, and
// to which levels it writes its results. Words are physical 32-bit registers.

#include <cstdint>

#include "base/inline_vector.h"
#include "code/placement/hierarchy.h"

namespace heddle::code {

/// The place of a word in an upper level: the operand file (ORF) or the last-result file (LRF).
/// With the level `main`, the word has no place there: it is in the main register file.
struct UpperPlace {
  RegisterLevel level = RegisterLevel::main;
  /// The entry of the operand file, or the operand slot of a split last-result file.
  std::uint8_t entry = 0;

  bool present() const { return level != RegisterLevel::main; }
  friend bool operator==(const UpperPlace&, const UpperPlace&) = default;
};

/// The place from which a word is read. The word is listed once, even if several sources name it.
struct ReadPlace {
  std::uint16_t word = 0;  ///< The register's number.
  UpperPlace from{};       ///< Where it is read.
  /// For a word that is read from the main file: the place to which it is copied for later reads,
  /// if any (section 6.4.3).
  UpperPlace fill_place{};

  friend bool operator==(const ReadPlace&, const ReadPlace&) = default;
};

/// The places to which a word is written: the main file, an upper level, or both.
struct WritePlace {
  std::uint16_t word = 0;  ///< The register's number.
  bool main = true;        ///< Whether it is written to the main file.
  UpperPlace upper{};      ///< The place in an upper level to which it is written, if any.
  bool live_out = false;   ///< Whether an instruction after its strand reads the value.

  friend bool operator==(const WritePlace&, const WritePlace&) = default;
};

/// The places of one instruction's words.
struct InstructionPlacement {
  /// Whether a strand begins at the instruction: the upper levels are then empty (section 6.3).
  bool begins_strand = false;
  /// Whether the warp is suspended before the instruction until all pending results of long-latency
  /// operations have arrived.
  bool suspends = false;
  InlineVector<ReadPlace, 48> reads;  ///< In the order of words_read().
  InlineVector<WritePlace, 32> writes;

  friend bool operator==(const InstructionPlacement&, const InstructionPlacement&) = default;
};

}  // namespace heddle::code
