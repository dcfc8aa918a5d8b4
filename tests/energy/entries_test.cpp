#include "energy/entries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace heddle::energy {
namespace {

/// Declares the parameters that an operand policy with register levels has.
struct Levels {
  std::uint32_t entries = 6;
  std::uint32_t cost_entries = 0;

  void declare(config::Declarations& parameters) {
    parameters.number("entries", entries, {.most = 13}, "of a thread");
    parameters.number("cost_entries", cost_entries, {.most = 13}, "that they cost as");
  }
};

double cost_of(Levels levels) {
  config::Declarations parameters;
  parameters.part("operands", levels);
  return cost_entries(parameters);
}

TEST(Entries, CostTheirActualNumber) { EXPECT_EQ(cost_of({.entries = 6}), 6); }

TEST(Entries, CostTheAssumedNumberInALimitStudy) {
  EXPECT_EQ(cost_of({.entries = 8, .cost_entries = 3}), 3);
}

TEST(Entries, CostNothingIfAbsent) {
  EXPECT_EQ(cost_of({.entries = 0, .cost_entries = 3}), 0);
  EXPECT_EQ(cost_entries(config::Declarations()), 0) << "no policy declares entries";
}

}  // namespace
}  // namespace heddle::energy
