#pragma once

#include <string>
#include <vector>

namespace heddle::silicon {

/// How many of a step stand in a row in a probe's loop.
inline constexpr int kUnrolled = 64;

struct InstructionKind {
  std::string name;
  /// In PTX: '#' stands for one of eight chains.
  std::string step;
  bool starts_as_float = false;
  /// The assembler runs fewer chains than are written: they say nothing of throughput.
  bool latency_only = false;
};
const std::vector<InstructionKind>& instruction_kinds();

}  // namespace heddle::silicon
