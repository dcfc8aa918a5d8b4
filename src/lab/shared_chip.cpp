#include "lab/shared_chip.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heddle::lab {
namespace {

/// Reads a program's share from its groups of multiprocessors or, without groups, from the
/// program's own totals.
energy::ProgramShare share_of(const nlohmann::json& program) {
  energy::ProgramShare share;
  const auto add = [&](const nlohmann::json& part) {
    share.warp_instructions.push_back(part.at("warp_instructions"));
    // A program's own sum of cycles is written as a floating-point number.
    share.occupied_sm_cycles.emplace_back(
        static_cast<std::uint64_t>(part.at("occupied_sm_cycles").get<double>()));
  };
  if (program.contains("groups")) {
    for (const nlohmann::json& group : program.at("groups")) add(group);
  } else {
    add(program);
  }
  return share;
}

bool has_shares(const nlohmann::json& program) {
  return program.contains("occupied_sm_cycles") && program.contains("warp_instructions") &&
         program.contains("runs_with_fraction");
}

}  // namespace

SharedChip SharedChip::from_result(const nlohmann::json& result) {
  SharedChip shared;
  if (!result.contains("programs")) return shared;
  const nlohmann::json& programs = result.at("programs");
  if (!std::all_of(programs.begin(), programs.end(), has_shares)) return shared;
  for (const nlohmann::json& program : programs) {
    shared.programs.push_back(share_of(program));
    shared.runs.push_back(program.at("runs_with_fraction"));
  }
  const nlohmann::json& totals = result.at("totals");
  if (!totals.contains("groups")) return shared;
  for (const nlohmann::json& group : totals.at("groups")) {
    shared.counters_by_kind.push_back(group.at("counters").get<Counters>());
  }
  return shared;
}

}  // namespace heddle::lab
