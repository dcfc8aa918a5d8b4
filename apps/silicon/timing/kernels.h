#pragma once

#include <string>
#include <vector>

namespace heddle::silicon {

/// The number of copies of a step in the body of a probe's loop.
inline constexpr int kUnrolled = 64;

struct InstructionKind {
  std::string name;
  /// PTX in which '#' is replaced by the number of a chain. There are eight independent chains of
  /// dependent instructions.
  std::string step;
  /// Whether the initial values of the chains are floats (f32).
  bool starts_as_float = false;
  /// The assembler generates fewer chains than are written, so that throughput cannot be measured.
  bool latency_only = false;
};
const std::vector<InstructionKind>& instruction_kinds();

}  // namespace heddle::silicon
