#pragma once

// Places as people read them, behind a register in a listing:
//   R5@o2    read from, or written to, entry 2 of the operand file
//   R5@o2+m  written to the main file as well
//   R5>o2    read from the main file, and written to entry 2 on the way
//   R5@l1    the last-result file, here the word of operand slot 1
// A wide value has one for each word, m for the main file alone: R4:5@o2:m.

#include <string>

#include "code/placement/placement.h"

namespace heddle::code {

std::string text_of_read(const Operand& operand, const InstructionPlacement& placement);
std::string text_of_write(const Operand& operand, const InstructionPlacement& placement);

/// What begins before an instruction; empty where nothing does.
std::string text_of_strand(const InstructionPlacement& placement);

}  // namespace heddle::code
