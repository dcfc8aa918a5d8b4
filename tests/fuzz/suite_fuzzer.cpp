// Any text may be given for a suite: it is taken or refused.

#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "lab/suite.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto suite =
        heddle::lab::read_suite({reinterpret_cast<const char*>(data), size}, "fuzz", "fuzz.toml");
    // What was taken has programs, and each is a workload or says why not.
    if (suite.programs.empty() || suite.present() > suite.size()) __builtin_trap();
    for (const heddle::lab::SuiteProgram& program : suite.programs) {
      if ((program.workload == nullptr) == program.why_absent().empty()) __builtin_trap();
    }
  } catch (const heddle::InputError&) {
  }
  return 0;
}
