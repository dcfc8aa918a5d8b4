#include "lab/metric.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace heddle::lab {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Lt;
using testing::Optional;
using testing::SizeIs;

const Measures kRun({{"cycles", 100}, {"l1.hits", 30}, {"l1.misses", 10}, {"dram.reads", 0}});

TEST(Metric, YieldsACounterByName) {
  EXPECT_THAT(Metric("l1.hits").evaluate(kRun), Optional(30.0));
}

TEST(Metric, CalculatesWithTheUsualPrecedence) {
  EXPECT_THAT(Metric("l1.misses / (l1.hits + l1.misses)").evaluate(kRun), Optional(0.25));
  EXPECT_THAT(Metric("l1.misses + l1.hits / cycles").evaluate(kRun), Optional(10.3));
  EXPECT_THAT(Metric("cycles - l1.hits - l1.misses").evaluate(kRun), Optional(60.0));
  EXPECT_THAT(Metric("1000*l1.misses/cycles").evaluate(kRun), Optional(100.0));
}

TEST(Metric, ListsEachMeasureOnce) {
  EXPECT_THAT(Metric("a.b / (a.b + c_d)").names(), ElementsAre("a.b", "c_d"));
}

TEST(Metric, IsEmptyIfAMeasureIsMissingOrADivisorIsZero) {
  EXPECT_EQ(Metric("l2.hits").evaluate(kRun), std::nullopt);
  EXPECT_EQ(Metric("cycles / dram.reads").evaluate(kRun), std::nullopt);
}

TEST(Metric, RejectsInvalidFormulaWithColumn) {
  const auto error_of = [](const char* text) -> std::string {
    try {
      const Metric metric(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of(""), HasSubstr("a metric is empty"));
  EXPECT_THAT(error_of("  "), HasSubstr("a metric is empty"));
  EXPECT_THAT(error_of((std::string(400'000, 'a') + " b").c_str()),
              AllOf(HasSubstr("aaa...' is not a valid metric"), SizeIs(Lt(400U))));
  EXPECT_THAT(error_of("a /"), HasSubstr("expected a name or a number at column 4"));
  EXPECT_THAT(error_of("a b"), HasSubstr("expected an operator or the end at column 3"));
  EXPECT_THAT(error_of("(a + b"), HasSubstr("expected an operator or the end at column 7"));
  EXPECT_THAT(error_of("a $ b"), HasSubstr("column 3"));
  EXPECT_THAT(error_of(std::string(100, '(').c_str()), HasSubstr("column 65"));
}

TEST(Measures, AreReadFromARunsTotals) {
  const Measures measures = Measures::from_result(
      R"({"totals": {"cycles": 7, "microseconds": 1.5, "ipc": 2, "warp_ipc": 1,
          "warp_instructions": 7, "thread_instructions": 14, "counters": {"l1.hits": 3}}})");
  EXPECT_THAT(measures.find("cycles"), Optional(7.0));
  EXPECT_THAT(measures.find("l1.hits"), Optional(3.0));
  EXPECT_EQ(measures.find("l1.misses"), std::nullopt);
}

TEST(Measures, RejectTextsThatAreNotResults) {
  EXPECT_THROW(Measures::from_result("{\"totals\": "), InputError);
  EXPECT_THROW(Measures::from_result("{}"), InputError);
}

}  // namespace
}  // namespace heddle::lab
