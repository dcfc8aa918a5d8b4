#pragma once

// The options of a compilation by nvrtc, changed so that the compiler makes PTX only.

#include <span>
#include <string>
#include <vector>

namespace heddle::cuda::nvrtc {

/// Options for the compiler, and what the program's own options ask for.
struct PtxOptions {
  std::vector<std::string> texts{};
  bool asks_for_machine_code = false;
  bool asks_for_link_time_code = false;  ///< LTO-IR, the code that link-time optimisation takes.
};

/// Replaces options that ask for machine code (sm_80) by options that ask for PTX of the same
/// capability (compute_80), and options for LTO-IR by one for PTX that can be linked. Keeps all
/// others.
PtxOptions options_for_ptx(std::span<const char* const> options);

}  // namespace heddle::cuda::nvrtc
