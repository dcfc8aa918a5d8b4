// Fuzzes descriptions of suites: any text is either accepted or rejected.

#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "lab/suite.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto suite =
        heddle::lab::read_suite({reinterpret_cast<const char*>(data), size}, "fuzz", "fuzz.toml");
    // An accepted suite must have programs. Each must have a workload or a reason for its absence.
    if (suite.programs.empty() || suite.count_runnable() > suite.program_count()) __builtin_trap();
    for (const heddle::lab::SuiteProgram& program : suite.programs) {
      if ((program.workload == nullptr) == program.why_absent().empty()) __builtin_trap();
    }
  } catch (const heddle::InputError&) {
  }
  return 0;
}
