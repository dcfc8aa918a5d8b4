#pragma once

// Human-readable listings of machine code, and per-kernel summaries.

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"

namespace heddle::code {

/// The text of an operand. The mark ' follows a register whose value is read for the last time.
std::string text_of(const Program& program, const Operand& operand);
/// The text of an instruction, on one line, without its program counter. With `placement`,
/// registers are followed by the place where they are read or written
/// (code/placement/place_text.h).
std::string text_of(const Program& program, const Instruction& instruction,
                    const InstructionPlacement* placement = nullptr);
/// The text of a function: a heading, then every instruction with its program counter and PTX line.
/// If the program has placements, lines also mark where strands begin (code/placement/strands.h).
std::string listing_of(const Program& program, const FunctionInfo& function);

/// The resources of a kernel: those that `ptxas -v` reports, and more.
struct KernelSummary {
  std::string name;
  std::uint32_t registers = 0;  ///< Per thread, including all functions that the kernel can call.
  std::uint32_t predicates = 0;
  std::uint32_t spill_stores = 0;
  std::uint32_t spill_loads = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t local_bytes = 0;
  bool stack_unbounded = false;
  std::uint32_t constant_bytes = 0;
  std::uint32_t instructions = 0;
  std::uint32_t blocks = 0;              ///< The number of basic blocks.
  std::vector<std::string> unsupported;  ///< Lines of describe_unsupported().
};

/// The summaries of all kernels that the program defines.
std::vector<KernelSummary> summaries_of(const Program& program);

}  // namespace heddle::code
