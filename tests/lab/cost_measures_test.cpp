#include "lab/cost_measures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "lab/plan.h"
#include "lab/stored_cells.h"
#include "planned_study.h"
#include "run_for_tests.h"

namespace heddle::lab {
namespace {

using testing::HasSubstr;
using testing::Optional;

/// The text of an experiment with one run of bfs.
std::string study(const std::string& machine, const std::string& settings,
                  const std::string& metric) {
  return "title = \"A study\"\nmachine = \"" + machine + "\"\nset = [" + settings +
         "]\nsize = \"tiny\"\nworkloads = [\"bfs\"]\n[metric]\nname = \"" + metric +
         "\"\n[[variant]]\nname = \"base\"\n";
}

TEST(CostMeasures, ContainBitsOfEachArrayAndOfTheChip) {
  const gpu::Machine machine =
      gpu::load_machine("warpman", {"residency.policy=partial-block", "chip.sms=2"});
  const Measures with_buffer = add_storage_measures(machine, Measures({{"cycles", 7.0}}));
  EXPECT_THAT(with_buffer.find("storage.workload_buffer"), Optional(40.0))
      << "expected the bits of one multiprocessor";
  EXPECT_THAT(with_buffer.find("storage.large_warp_mask"), Optional(0.0))
      << "expected 0 because the machine has no such mask";
  EXPECT_THAT(with_buffer.find("cycles"), Optional(7.0)) << "other measures are kept";
  for (const std::string& name : storage_measures()) EXPECT_TRUE(with_buffer.find(name)) << name;
  const Measures without_buffer = add_storage_measures(
      gpu::load_machine("warpman", {"residency.policy=block", "chip.sms=2"}), Measures{});
  EXPECT_EQ(*with_buffer.find("storage.bits") - *without_buffer.find("storage.bits"), 80)
      << "expected the bits of both multiprocessors";
}

TEST(CostMeasures, NeedNeitherTechnologyNorAnotherRun) {
  const Folder folder;
  Store store(folder.file("results.sqlite"), Access::create);
  const Plan plan = plan_of(study("storage", "", "storage.bits / storage.register_file"));
  ASSERT_EQ(plan.cells.size(), 1U);
  store.add(stored_run(plan.cells[0].key));
  const StoredCells read = read_cells(plan, store);
  ASSERT_TRUE(read.cells[0]);
  EXPECT_THAT(read.cells[0]->find("storage.register_file"), Optional(32 * 32768.0));
}

TEST(CostMeasures, ContainAreaIfTheTechnologyStatesIt) {
  const gpu::Machine machine = gpu::load_machine("ilp");
  const Measures areas =
      add_area_measures(energy::load_technology("simt-40nm"), machine, Measures{});
  EXPECT_THAT(areas.find("area.sm"), Optional(testing::DoubleEq(11.823)));
  EXPECT_THAT(areas.find("area.chip"), Optional(testing::DoubleEq(30 * 11.823)));
  const std::string simt = "technology = \"simt-40nm\"\n";
  const std::string published = "technology = \"published-40nm\"\n";
  EXPECT_EQ(error_of(simt + study("ilp", "", "ipc / area.chip")), "");
  EXPECT_THAT(error_of(published + study("ilp", "", "area.sm")),
              HasSubstr("technology 'published-40nm' declares no [[area]]"));
  EXPECT_THAT(error_of(study("ilp", "", "area.sm")), HasSubstr("a 'technology' with [[area]]"));
}

TEST(CostMeasures, RejectMetricOverArrayOfUnknownSize) {
  const std::string settings =
      "\"divergence.policy=dynamic-formation\", \"schedule.policy=majority\"";
  EXPECT_THAT(error_of(study("large-warps", settings, "storage.bits")),
              HasSubstr("the number of bits is unknown: warp_pool"));
  EXPECT_THAT(error_of(study("large-warps", settings, "storage.warp_pool")),
              HasSubstr("warp_pool"));
  EXPECT_EQ(error_of(study("large-warps", settings, "storage.register_file")), "");
  EXPECT_THAT(error_of(study("storage", "", "storage.bit")),
              HasSubstr("did you mean 'storage.bits'?"));
}

}  // namespace
}  // namespace heddle::lab
