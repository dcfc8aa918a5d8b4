#pragma once

#include <string>
#include <vector>

namespace heddle::silicon {

/// The number of copies of a step (the measured PTX) in the body of a probe's loop.
inline constexpr int kUnrolled = 64;

/// An instruction, or two that belong together, whose latency and throughput are measured.
struct InstructionKind {
  std::string name;
  /// PTX that reads and writes the registers of one chain. '#' stands for the chain's number. A
  /// latency probe has one chain; a throughput probe has eight, which are independent of each
  /// other.
  std::string step;
  /// Whether the initial values of the chains are floats (f32).
  bool starts_as_float = false;
  /// Whether only the latency can be measured, because the assembler merges the eight chains of the
  /// throughput probe.
  bool latency_only = false;
};
const std::vector<InstructionKind>& instruction_kinds();

}  // namespace heddle::silicon
