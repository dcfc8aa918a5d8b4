#include "code/optimise/latency.h"

#include "code/operation_properties.h"

namespace heddle::code {
namespace {

// Estimated latencies, in cycles.
constexpr unsigned kArithmetic = 5;
constexpr unsigned kWide = 10;      // 64-bit arithmetic, which takes several steps.
constexpr unsigned kFunction = 20;  // Special functions: reciprocals, roots, sines.
constexpr unsigned kNear = 100;     // Shared memory, with bank conflicts.
constexpr unsigned kExchange = 25;  // Between lanes of a warp.
constexpr unsigned kFar = 200;      // Global memory and textures.

unsigned latency_of_memory(const Instruction& instruction) {
  if (instruction.destinations.empty()) return kArithmetic;  // An atomic without a result.
  // Constants at a known address are as fast as operands.
  if (instruction.space == Space::parameter || instruction.space == Space::constant) {
    const bool known = instruction.sources.empty() || !instruction.sources[0].is_register();
    return known ? kArithmetic : kFunction;
  }
  return instruction.space == Space::shared ? kNear : kFar;
}

}  // namespace

unsigned expected_latency(const Instruction& instruction) {
  switch (properties_of(instruction.operation).latency) {
    case LatencyClass::brief:
      return size_of(instruction.type) == 8 ? kWide : kArithmetic;
    case LatencyClass::function:
      return kFunction;
    case LatencyClass::exchange:
      return kExchange;
    case LatencyClass::memory:
      return latency_of_memory(instruction);
    case LatencyClass::far:
      return kFar;
  }
  return kArithmetic;
}

}  // namespace heddle::code
