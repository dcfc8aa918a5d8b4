#include "code/optimise/latency.h"

namespace heddle::code {

unsigned expected_latency(const Instruction& instruction) {
  constexpr unsigned kArithmetic = 5;
  constexpr unsigned kWide = 10;      // 64-bit arithmetic takes more than one pass
  constexpr unsigned kFunction = 20;  // reciprocals, roots, sines, conversions of wide types
  constexpr unsigned kNear = 100;     // shared memory: its banks make it longer than it looks
  constexpr unsigned kExchange = 25;
  constexpr unsigned kFar = 200;
  switch (instruction.operation) {
    case Operation::load:
    case Operation::atomic:
      if (instruction.operation == Operation::atomic && instruction.destinations.empty()) {
        return kArithmetic;
      }
      // Constants at a known address come as quickly as operands do.
      if (instruction.space == Space::parameter || instruction.space == Space::constant) {
        const bool known = instruction.sources.empty() || !instruction.sources[0].is_register();
        return known ? kArithmetic : kFunction;
      }
      return instruction.space == Space::shared ? kNear : kFar;
    case Operation::texture:
    case Operation::surface_load:
    case Operation::load_local_slot:
      return kFar;
    case Operation::shfl:
    case Operation::match:
    case Operation::redux:
    case Operation::read_special:
      return kExchange;
    case Operation::rcp:
    case Operation::sqrt:
    case Operation::rsqrt:
    case Operation::sin:
    case Operation::cos:
    case Operation::lg2:
    case Operation::ex2:
    case Operation::tanh:
    case Operation::div:
    case Operation::rem:
    case Operation::popc:
    case Operation::bfind:
      return kFunction;
    default:
      return size_of(instruction.type) == 8 ? kWide : kArithmetic;
  }
}

}  // namespace heddle::code
