#pragma once

// Each program's share of a chip on which several ran side by side, read from the result. The
// chip's energy is divided among them accordingly (energy/by_kind.h).

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

  /// Empty if one program ran, or if an older Heddle wrote the result without shares.
  std::vector<energy::ProgramShare> programs{};
  /// The number of complete runs of each program plus its unfinished run as a fraction.
  std::vector<double> runs{};
  /// The counters of each kind of multiprocessors; empty if there is only one kind.
  std::vector<Counters> counters_by_kind{};

  static SharedChip from_result(const nlohmann::json& result);
};

}  // namespace heddle::lab
