// Compares the compiler's register counts with those of ptxas for sm_75, for the kernels of the
// corpus and of the workloads.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/file.h"
#include "code/compile.h"
#include "code/listing.h"
#include "ptx/parser.h"
#include "source_file.h"

namespace heddle::code {
namespace {

/// Registers per thread of every kernel of a PTX file.
std::map<std::string, std::uint32_t> our_counts(const std::filesystem::path& path) {
  ptx::ParseResult parsed = ptx::parse(read_file(path), path.string());
  EXPECT_TRUE(parsed.ok()) << path;
  std::map<std::string, std::uint32_t> counts;
  if (!parsed.ok()) return counts;
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed.module));
  for (const KernelSummary& kernel : summaries_of(compile(modules))) {
    counts[kernel.name] = kernel.registers;
  }
  return counts;
}

/// The deviation of our register counts from those of ptxas.
struct Deviation {
  std::size_t kernels = 0;     ///< The number of kernels compared.
  double mean = 0;             ///< The mean of |ours / theirs - 1|.
  double highest_ratio = 0;    ///< The highest ours / theirs.
  std::string highest_kernel;  ///< The file and kernel of `highest_ratio`.
};

/// The deviation for the PTX files in a folder. The counts of ptxas are in the same file as the
/// loops that it found, ptxas_loops_sm75.json.
Deviation deviation_from_ptxas(const std::string& folder) {
  const nlohmann::json figures =
      nlohmann::json::parse(read_file(source_file("tests/corpus/ptxas_loops_sm75.json")));
  Deviation deviation;
  for (const auto& [file, kernels] : figures.items()) {
    if (!file.starts_with(folder)) continue;
    const std::map<std::string, std::uint32_t> ours = our_counts(source_file(file));
    for (const auto& [name, figure] : kernels.items()) {
      EXPECT_TRUE(ours.contains(name)) << name;
      if (!ours.contains(name)) continue;
      const double ratio = ours.at(name) / figure.at("registers").get<double>();
      deviation.mean += std::abs(ratio - 1);
      ++deviation.kernels;
      if (ratio > deviation.highest_ratio) {
        deviation.highest_ratio = ratio;
        deviation.highest_kernel = file + " " + name;
      }
    }
  }
  deviation.mean /= static_cast<double>(deviation.kernels);
  fmt::print("{}: {} kernels, mean deviation {:.1f} %, highest ratio {:.2f} ({})\n", folder,
             deviation.kernels, 100 * deviation.mean, deviation.highest_ratio,
             deviation.highest_kernel);
  return deviation;
}

TEST(RegisterCounts, AreCloseToPtxasOnCorpus) {
  const Deviation deviation = deviation_from_ptxas("tests/corpus/kernels/");
  EXPECT_GE(deviation.kernels, 100U);
  EXPECT_LE(deviation.mean, 0.15);
  EXPECT_LE(deviation.highest_ratio, 1.5) << deviation.highest_kernel;
}

TEST(RegisterCounts, AreCloseToPtxasOnWorkloads) {
  const Deviation deviation = deviation_from_ptxas("workloads/");
  EXPECT_GE(deviation.kernels, 175U);
  EXPECT_LE(deviation.mean, 0.15);
  EXPECT_LE(deviation.highest_ratio, 1.6) << deviation.highest_kernel;
}

}  // namespace
}  // namespace heddle::code
