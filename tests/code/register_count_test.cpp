// Our register counts stay near those of ptxas for sm_75, over all kernels of the corpus.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "base/file.h"
#include "code/compile.h"
#include "code/listing.h"
#include "ptx/parser.h"
#include "source_file.h"

namespace heddle::code {
namespace {

std::filesystem::path corpus() { return source_file("tests/corpus"); }

/// Registers per thread of every kernel that ptxas has figures for.
std::map<std::string, std::uint32_t> our_counts(const nlohmann::json& figures) {
  std::set<std::string> files;
  for (const auto& figure : figures) files.insert(figure.at("file").get<std::string>());
  std::map<std::string, std::uint32_t> counts;
  for (const std::string& file : files) {
    const std::filesystem::path path = (corpus() / file).replace_extension(".ptx");
    ptx::ParseResult parsed = ptx::parse(read_file(path), path.string());
    EXPECT_TRUE(parsed.ok()) << path;
    if (!parsed.ok()) continue;
    std::vector<ptx::Module> modules;
    modules.push_back(std::move(parsed.module));
    for (const KernelSummary& kernel : summaries_of(compile(modules))) {
      counts[kernel.name] = kernel.registers;
    }
  }
  return counts;
}

TEST(RegisterCounts, StayNearThoseOfPtxas) {
  const nlohmann::json figures = nlohmann::json::parse(read_file(corpus() / "ptxas_sm75.json"));
  ASSERT_GE(figures.size(), 40U);
  const std::map<std::string, std::uint32_t> ours = our_counts(figures);
  double deviation = 0;
  double worst = 0;
  std::string worst_kernel;
  std::size_t kernels = 0;
  for (const auto& [name, figure] : figures.items()) {
    ASSERT_TRUE(ours.contains(name)) << name;
    const double ratio = ours.at(name) / figure.at("registers").get<double>();
    deviation += std::abs(ratio - 1);
    ++kernels;
    if (ratio > worst) {
      worst = ratio;
      worst_kernel = name;
    }
  }
  const double mean = deviation / static_cast<double>(kernels);
  fmt::print("{} kernels: mean deviation {:.1f} %, highest ratio {:.2f} ({})\n", kernels,
             100 * mean, worst, worst_kernel);
  EXPECT_LE(mean, 0.15);
  EXPECT_LE(worst, 1.5) << worst_kernel;
}

}  // namespace
}  // namespace heddle::code
