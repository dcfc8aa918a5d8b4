#include "lab/restrict_to_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace heddle::lab {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kExperiment = R"(title = "t"
machine = "storage"
[[workload]]
name = "bfs"
substitute = { small = "large", other = "base" }
[metric]
name = "ipc"
normalise_to = "base"
[[variant]]
name = "base"
[[variant]]
name = "small"
[[variant]]
name = "large"
[[variant]]
name = "other"
[[variant]]
name = "best"
best_of = ["first", "second"]
[[variant]]
name = "first"
[[variant]]
name = "second"
[[variant]]
name = "like best"
best_of = ["other", "small"]
as_in = "best"
[[reading]]
text = "a larger cache"
set = ["l1.bytes=64K"]
[[claim]]
id = "gain"
text = "t"
kind = "gain"
value = 1
variant = "small"
[[claim]]
id = "best"
text = "t"
kind = "figure"
value = 1
variant = "like best"
[[claim]]
id = "order"
text = "t"
kind = "order"
order = ["first", "second"]
relative_to = ["other", "base"]
)";

Experiment restricted(const std::vector<std::string>& ids) {
  Experiment experiment = read_experiment(kExperiment, "study", "study.toml");
  restrict_to_claims(experiment, ids);
  return experiment;
}

std::vector<std::string> variants_of(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const Variant& variant : experiment.variants) names.push_back(variant.name);
  return names;
}

TEST(RestrictToClaims, KeepsTheVariantsOfAClaimAndTheirSubstitutes) {
  const Experiment experiment = restricted({"gain"});
  ASSERT_EQ(experiment.claims.size(), 1U);
  EXPECT_EQ(experiment.claims[0].id, "gain");
  EXPECT_THAT(experiment.claims[0].readings, IsEmpty());
  EXPECT_THAT(variants_of(experiment), ElementsAre("base", "small", "large"));
  EXPECT_THAT(experiment.rows[0].substitutes,
              ElementsAre(testing::Pair(std::string("small"), std::string("large"))));
}

TEST(RestrictToClaims, KeepsTheCandidatesOfAChoice) {
  EXPECT_THAT(
      variants_of(restricted({"best"})),
      ElementsAre("base", "small", "large", "other", "best", "first", "second", "like best"));
}

TEST(RestrictToClaims, KeepsTheVariantsThatAnOrderIsRelativeTo) {
  EXPECT_THAT(variants_of(restricted({"order"})), ElementsAre("base", "other", "first", "second"));
}

TEST(RestrictToClaims, KeepsSeveralClaims) {
  const Experiment experiment = restricted({"order", "gain"});
  ASSERT_EQ(experiment.claims.size(), 2U);
  EXPECT_EQ(experiment.claims[0].id, "gain");
  EXPECT_EQ(experiment.claims[1].id, "order");
}

/// The labels of the rows that a claim of this kind and these keys needs.
std::vector<std::string> rows_for(const std::string& keys) {
  Experiment experiment = read_experiment(R"(title = "t"
machine = "storage"
workloads = ["bfs"]
[[workload]]
name = "scan"
group = "sums"
[[workload]]
name = "reduction"
group = "sums"
[metric]
name = "ipc"
[[variant]]
name = "base"
[[claim]]
id = "c"
text = "t"
variant = "base"
)" + keys,
                                          "study", "study.toml");
  restrict_to_claims(experiment, {"c"});
  std::vector<std::string> labels;
  for (const Row& row : experiment.rows) labels.push_back(row.label);
  return labels;
}

TEST(RestrictToClaims, KeepsTheRowsOfAClaim) {
  const std::string figure = "kind = \"figure\"\nvalue = 1\n";
  EXPECT_THAT(rows_for(figure), ElementsAre("bfs", "scan", "reduction"));
  EXPECT_THAT(rows_for(figure + "group = \"sums\"\n"), ElementsAre("scan", "reduction"));
  EXPECT_THAT(rows_for(figure + "workload = \"scan\"\n"), ElementsAre("scan"));
  EXPECT_THAT(rows_for("kind = \"classes\"\nbounds = [1]\nnames = [\"low\", \"high\"]\n"
                       "[claim.expected]\nreduction = \"low\"\nbfs = \"high\"\n"),
              ElementsAre("bfs", "reduction"));
}

TEST(RestrictToClaims, RejectsAnUnknownClaim) {
  try {
    restricted({"gain", "ordre"});
    FAIL() << "expected an InputError";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "experiment 'study' has no claim 'ordre'; did you mean 'order'?");
  }
}

}  // namespace
}  // namespace heddle::lab
