#pragma once

// Each program's share of a chip on which several programs ran side by side, read from the result.
// The energy of the chip is divided among the programs accordingly (energy/by_kind.h).

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

  /// The share of each program. Empty if only one program ran, or if an older Heddle wrote the
  /// result, which then has no shares.
  std::vector<energy::ProgramShare> programs{};
  /// By program: the number of its complete runs, plus its unfinished run as a fraction.
  std::vector<double> runs{};
  /// The counters of each kind of multiprocessors (those of one group of the machine). Empty if
  /// there is only one kind.
  std::vector<Counters> counters_by_kind{};

  /// Reads a result that `heddle run --json` wrote.
  static SharedChip from_result(const nlohmann::json& result);
};

}  // namespace heddle::lab
