#pragma once

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/table.h"
#include "lab/verdict.h"

namespace heddle::lab {

inline constexpr const char* kStudy = R"(title = "t"
machine = "storage"
[[workload]]
name = "bfs"
group = "high"
[[workload]]
name = "scan"
group = "low"
[metric]
name = "ipc"
normalise_to = "base"
[[variant]]
name = "base"
[[variant]]
name = "better"
[[variant]]
name = "worse"
)";

/// Matches an optional number that is nearly equal to `value`.
inline auto near(double value) { return testing::Optional(testing::DoubleNear(value, 1e-12)); }

/// An experiment with two workloads and three variants, and its results. `ipcs` lists the results:
/// for each seed, the row of bfs, then that of scan, each with the variants base, better and worse.
/// An empty IPC is a failed run. The metric "waste" is 1 / IPC. `more` is appended to the
/// experiment's text.
struct Study {
  explicit Study(std::vector<std::optional<double>> ipcs, const std::string& more = "")
      : experiment(read_experiment(kStudy + more, "study", "study.toml")),
        seeds(split_by_seed(experiment, cells_of(ipcs))) {}

  static std::vector<std::optional<Measures>> cells_of(
      const std::vector<std::optional<double>>& ipcs) {
    std::vector<std::optional<Measures>> cells;
    for (const auto& ipc : ipcs) {
      cells.push_back(ipc ? std::optional(Measures({{"ipc", *ipc}, {"waste", 1 / *ipc}}))
                          : std::nullopt);
    }
    return cells;
  }

  Experiment experiment;
  std::vector<Measurements> seeds;
};

/// The verdict on a claim with the given keys, for the given IPCs.
inline ClaimVerdict verdict_of(const std::string& keys, std::vector<std::optional<double>> ipcs) {
  const Study study(std::move(ipcs), "[[claim]]\nid = \"c\"\ntext = \"t\"\n" + keys);
  return judge(study.experiment.claims.at(0), study.seeds);
}

}  // namespace heddle::lab
