#pragma once

#include "code/instruction.h"

namespace heddle::code {

/// A rough estimate of the latency of an instruction's result, in cycles. It only guides the order
/// of instructions: the compiler does not know the latencies of the simulated GPU.
unsigned expected_latency(const Instruction& instruction);

}  // namespace heddle::code
