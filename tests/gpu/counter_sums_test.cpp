#include "gpu/counter_sums.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::gpu {
namespace {

using testing::ElementsAre;

std::vector<std::string> names_of(const CounterSums& sums) {
  std::vector<std::string> names;
  for (const CounterName& name : sums.names()) names.push_back(name.name);
  return names;
}

struct Component {
  std::uint64_t hits = 0, misses = 0, stalls = 0;
};

CounterList hits_and_misses(const Component& component) {
  CounterList list;
  list.add("hits", component.hits, "accesses", "found");
  list.add("misses", component.misses, "accesses", "not found");
  return list;
}

CounterList misses_stalls_and_hits(const Component& component) {
  CounterList list;
  list.add("misses", component.misses, "accesses", "not found");
  list.add("stalls", component.stalls, "cycles", "lost");
  list.add("hits", component.hits, "accesses", "found");
  return list;
}

TEST(CounterSums, AddUpEqualCounterLists) {
  Component a{.hits = 1, .misses = 20}, b{.hits = 300, .misses = 4000};
  CounterSums sums;
  sums.add(hits_and_misses(a));
  sums.add(hits_and_misses(b));
  EXPECT_THAT(names_of(sums), ElementsAre("hits", "misses"));
  EXPECT_THAT(sums.sums(), ElementsAre(301, 4020));
  EXPECT_THAT(sums.counters_of(0), ElementsAre(1, 20));
  EXPECT_THAT(sums.counters_of(1), ElementsAre(300, 4000));
  a.hits = 5;
  EXPECT_THAT(sums.sums(), ElementsAre(305, 4020)) << "sums are computed from the current values";
}

TEST(CounterSums, MatchCountersByNameInAnyOrder) {
  const Component a{.hits = 1, .misses = 20}, b{.hits = 300, .misses = 4000, .stalls = 7};
  CounterSums sums;
  sums.add(hits_and_misses(a));
  sums.add(misses_stalls_and_hits(b));
  sums.add(hits_and_misses(a));
  EXPECT_THAT(names_of(sums), ElementsAre("hits", "misses", "stalls"));
  EXPECT_THAT(sums.sums(), ElementsAre(302, 4040, 7));
  EXPECT_THAT(sums.counters_of(0), ElementsAre(1, 20, 0)) << "this component counts no stalls";
  EXPECT_THAT(sums.counters_of(1), ElementsAre(300, 4000, 7));
  EXPECT_THAT(sums.counters_of(2), ElementsAre(1, 20, 0));
}

TEST(CounterSums, KeepUnitsAndMeanings) {
  const Component a;
  CounterSums sums;
  sums.add(misses_stalls_and_hits(a));
  EXPECT_EQ(sums.names()[1].unit, "cycles");
  EXPECT_EQ(sums.names()[1].meaning, "lost");
}

}  // namespace
}  // namespace heddle::gpu
