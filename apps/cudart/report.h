#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cuda/runtime/simulation.h"
#include "machine_options.h"

namespace heddle::cuda {

/// A kernel's name as the program's source has it.
std::string readable_name(const std::string& kernel);

/// What a process ended by, other than by itself.
struct Ending {
  std::string fault{};   ///< A kernel's; empty: none failed.
  std::string signal{};  ///< As "SIGINT"; empty: none.
};

// `timed` is null where there was no time.

/// For people.
std::string report_text(const std::vector<KernelTotals>& kernels, const Ending& ending,
                        const TimedChip* timed);
nlohmann::ordered_json report_to_json(const std::vector<KernelTotals>& kernels,
                                      const Ending& ending, const TimedChip* timed);

}  // namespace heddle::cuda
