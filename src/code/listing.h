#pragma once

// Machine code as people read it, and what a compiler reports of a kernel.

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"

namespace heddle::code {

/// An operand, with ' after a register that is read for the last time.
std::string text_of(const Program& program, const Operand& operand);
/// One instruction on one line, without its program counter; with `placement`, where its registers
/// are read and written (code/placement/place_text.h).
std::string text_of(const Program& program, const Instruction& instruction,
                    const InstructionPlacement* placement = nullptr);
/// A function: a heading and every instruction with its program counter and line of PTX. Where the
/// program's values have been placed, strands are told from each other, too.
std::string listing_of(const Program& program, const FunctionInfo& function);

/// What `ptxas -v` reports of a kernel, and a little more.
struct KernelSummary {
  std::string name;
  std::uint32_t registers = 0;  ///< Per thread, with all that the kernel calls.
  std::uint32_t predicates = 0;
  std::uint32_t spill_stores = 0;
  std::uint32_t spill_loads = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t local_bytes = 0;
  bool stack_unbounded = false;
  std::uint32_t constant_bytes = 0;
  std::uint32_t instructions = 0;
  std::uint32_t blocks = 0;
  std::vector<std::string> unsupported;  ///< A line each: describe_unsupported().
};

std::vector<KernelSummary> summaries_of(const Program& program);

}  // namespace heddle::code
