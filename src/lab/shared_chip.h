#pragma once

// What programs side by side had of their chip, as their result tells it: what its energy is dealt
// out by (energy/by_kind.h).

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "energy/by_kind.h"

namespace heddle::lab {

struct SharedChip {
  using Counters = std::map<std::string, std::uint64_t, std::less<>>;

  /// None where one program ran, or a result from before they were told.
  std::vector<energy::ProgramShare> programs{};
  std::vector<double> runs{};  ///< Of each, with the one that was under way.
  /// Of multiprocessors, by kind; none where there is one kind alone.
  std::vector<Counters> counters_by_kind{};

  static SharedChip of_result(const nlohmann::json& result);
};

}  // namespace heddle::lab
