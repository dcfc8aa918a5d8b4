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

inline auto near(double value) { return testing::Optional(testing::DoubleNear(value, 1e-12)); }

/// A study of two workloads on three variants with the given IPCs, row by row for each seed.
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

inline ClaimVerdict verdict_of(const std::string& keys, std::vector<std::optional<double>> ipcs) {
  const Study study(std::move(ipcs), "[[claim]]\nid = \"c\"\ntext = \"t\"\n" + keys);
  return judge(study.experiment.claims.at(0), study.seeds);
}

}  // namespace heddle::lab
