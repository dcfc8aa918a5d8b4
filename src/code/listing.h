#pragma once

// Human-readable listings of machine code, and per-kernel summaries.

#include <cstdint>
#include <string>
#include <vector>

#include "code/program.h"

namespace heddle::code {

/// An operand. The mark ' follows a register that is read for the last time.
std::string text_of(const Program& program, const Operand& operand);
/// One instruction on one line, without its program counter. With `placement`, registers carry the
/// place where they are read or written (code/placement/place_text.h).
std::string text_of(const Program& program, const Instruction& instruction,
                    const InstructionPlacement* placement = nullptr);
/// A function: a heading, then every instruction with its program counter and PTX line. If the
/// program has placements, lines also mark where strands begin.
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
  std::uint32_t blocks = 0;
  std::vector<std::string> unsupported;  ///< Lines of describe_unsupported().
};

std::vector<KernelSummary> summaries_of(const Program& program);

}  // namespace heddle::code
