#pragma once

// The text of a word's places, which follows the register's name in a listing:
//   R5@o2    read from, or written to, entry 2 of the operand file (ORF)
//   R5@o2+m  written to entry 2 and to the main file
//   R5>o2    read from the main file and also written to entry 2
//   R5@l1    the last-result file (LRF), here the word of operand slot 1
// A wide value has a place for each word, where m stands for the main file: R4:5@o2:m. A register
// without any upper place has no such text.

#include <string>

#include "code/placement/placement.h"

namespace heddle::code {

/// The text of the places of a source or a destination; empty if it has none.
std::string text_of_read(const Operand& operand, const InstructionPlacement& placement);
std::string text_of_write(const Operand& operand, const InstructionPlacement& placement);

/// Says whether a strand begins or the warp is suspended before an instruction; empty otherwise.
std::string text_of_strand(const InstructionPlacement& placement);

}  // namespace heddle::code
