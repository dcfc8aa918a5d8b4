#include "lab/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "gpu/sanitized.h"
#include "lab/plan.h"

namespace heddle::lab {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kHead = R"(title = "A study"
machine = "storage"
size = "tiny"
workloads = ["bfs"]
)";
constexpr const char* kMetric = R"([metric]
name = "ipc"
normalise_to = "base"
)";
constexpr const char* kVariants = R"([[variant]]
name = "base"
[[variant]]
name = "wide"
set = ["l1.bytes=32K"]
)";

/// The text of an experiment, followed by `more`.
std::string study(const std::string& more = "", const std::string& head = kHead,
                  const std::string& metric = kMetric, const std::string& variants = kVariants) {
  return head + metric + variants + more;
}

/// The text of a claim with the given keys.
std::string claim(const std::string& keys) {
  return "[[claim]]\nid = \"c\"\ntext = \"t\"\n" + keys;
}

/// The message if the experiment cannot be planned; empty if it can.
std::string error_of(const std::string& text) {
  try {
    plan_runs(read_experiment(text, "study", "study.toml"), {}, sources());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Experiment, FillsInDefaults) {
  const Experiment experiment = read_experiment(study(), "study", "study.toml");
  EXPECT_EQ(experiment.title, "A study");
  EXPECT_EQ(experiment.seed, 1U);
  EXPECT_EQ(experiment.mean, Mean::geometric);
  ASSERT_EQ(experiment.rows.size(), 1U);
  EXPECT_EQ(experiment.rows[0].workload->name, "bfs");
  EXPECT_EQ(experiment.rows[0].size, workload::Size::tiny);
  ASSERT_EQ(experiment.variants.size(), 2U);
  EXPECT_EQ(experiment.variants[1].machine, "storage");
  EXPECT_THAT(experiment.variants[1].settings, ElementsAre("l1.bytes=32K"));
}

TEST(Experiment, PutsWorkloadTablesAfterTheList) {
  const Experiment experiment = read_experiment(study(R"([[workload]]
name = "bfs"
label = "bfs again"
size = "small"
group = "g"
set = ["chip.sms=2"]
)"),
                                                "study", "study.toml");
  ASSERT_EQ(experiment.rows.size(), 2U);
  EXPECT_EQ(experiment.rows[1].label, "bfs again");
  EXPECT_EQ(experiment.rows[1].size, workload::Size::small);
  EXPECT_THAT(experiment.groups(), ElementsAre("g"));
}

TEST(Experiment, AppliesItsSettingsBeforeThoseOfVariantsAndRows) {
  const Plan plan = plan_runs(
      read_experiment("set = [\"l1.bytes=128K\", \"l1.ways=8\", \"chip.sms=2\"]\n" + study(R"(
[[workload]]
name = "scan"
set = ["chip.sms=3"]
)"),
                      "study", "study.toml"),
      {}, sources());
  ASSERT_EQ(plan.cells.size(), 4U);
  const gpu::Machine& wide_scan = plan.cells[3].machine;
  EXPECT_EQ(wide_scan.sm.memory.l1.cache.bytes, 32U << 10);
  EXPECT_EQ(wide_scan.sm.memory.l1.cache.ways, 8U);
  EXPECT_EQ(wide_scan.chip.sms, 3U);
  EXPECT_EQ(plan.cells[1].machine.chip.sms, 2U);
}

TEST(Experiment, RequestedSizeOverridesAllSizes) {
  const Plan plan = plan_runs(read_experiment(study(), "study", "study.toml"),
                              {.size = workload::Size::medium}, sources());
  for (const RunRequest& run : plan.cells) EXPECT_EQ(run.size, workload::Size::medium);
}

TEST(ExperimentErrors, NameUnknownKeyWithPositionAndSuggestion) {
  EXPECT_THAT(error_of(study(claim("kind = \"gain\"\nvalu = 1\nvariant = \"wide\"\n"))),
              AllOf(StartsWith("study.toml:17:1: error:"), HasSubstr("unknown key 'valu'"),
                    HasSubstr("did you mean 'value'?")));
  EXPECT_THAT(error_of("titel = \"x\"\n" + study()), HasSubstr("did you mean 'title'?"));
}

TEST(ExperimentErrors, SuggestTheNearestKnownName) {
  EXPECT_THAT(error_of(study("", "title = \"t\"\nmachine = \"storage\"\nworkloads = [\"bsf\"]\n")),
              AllOf(StartsWith("study.toml:3:"), HasSubstr("did you mean 'bfs'?")));
  EXPECT_THAT(error_of("registers = \"papers\"\n" + study()), HasSubstr("did you mean 'paper'?"));
  EXPECT_THAT(error_of("registers = \"256\"\n" + study()), HasSubstr("from 1 to 255"));
  EXPECT_THAT(error_of("registers = \"0\"\n" + study()), HasSubstr("from 1 to 255"));
  EXPECT_THAT(error_of(study("",
                             "title = \"t\"\nmachine = \"storage\"\nsize = \"tinny\"\n"
                             "workloads = [\"bfs\"]\n")),
              AllOf(StartsWith("study.toml:3:"), HasSubstr("did you mean 'tiny'?")));
  EXPECT_THAT(error_of(study("", "title = \"t\"\nmachine = \"storrage\"\nworkloads = [\"bfs\"]\n")),
              HasSubstr("did you mean 'storage'?"));
  EXPECT_THAT(error_of(study("", kHead, "[metric]\nname = \"ipc\"\nnormalise_to = \"bas\"\n")),
              AllOf(StartsWith("study.toml:7:"), HasSubstr("did you mean 'base'?")));
  EXPECT_THAT(error_of(study("", kHead, "[metric]\nname = \"l1.mises\"\n")),
              AllOf(HasSubstr("variant 'base' counts no 'l1.mises'"),
                    HasSubstr("did you mean 'l1.misses'?")));
  EXPECT_THAT(error_of(study("", kHead, "[metric]\nname = \"ipc\"\nmean = \"harmonc\"\n")),
              HasSubstr("did you mean 'harmonic'?"));
  EXPECT_THAT(error_of(study(claim("kind = \"gains\"\n"))), HasSubstr("did you mean 'gain'?"));
  EXPECT_THAT(error_of(study(claim("kind = \"gain\"\nvalue = 1\nvariant = \"wode\"\n"))),
              HasSubstr("did you mean 'wide'?"));
  EXPECT_THAT(
      error_of(study(claim("kind = \"gain\"\nvalue = 1\nvariant = \"wide\"\nworkload = \"bf\"\n"))),
      HasSubstr("did you mean 'bfs'?"));
}

TEST(ExperimentErrors, NameTheVariantOfAnUnknownMachineParameter) {
  EXPECT_THAT(error_of(study("[[variant]]\nname = \"odd\"\nset = [\"l1.byte=1\"]\n")),
              AllOf(HasSubstr("variant 'odd'"), HasSubstr("did you mean 'l1.bytes'?")));
}

TEST(ExperimentErrors, RejectDuplicates) {
  EXPECT_THAT(error_of(study("[[variant]]\nname = \"wide\"\n")),
              AllOf(StartsWith("study.toml:14:"), HasSubstr("two variants 'wide'")));
  EXPECT_THAT(error_of(study("[[workload]]\nname = \"bfs\"\n")), HasSubstr("two rows 'bfs'"));
  const std::string one = claim("kind = \"gain\"\nvalue = 1\nvariant = \"wide\"\n");
  EXPECT_THAT(error_of(study(one + one)), HasSubstr("two claims 'c'"));
}

TEST(ExperimentErrors, NameMissingKeys) {
  EXPECT_THAT(error_of(study("", "title = \"t\"\nmachine = \"storage\"\n")),
              HasSubstr("no workloads"));
  EXPECT_THAT(error_of(study("", kHead, kMetric, "")), HasSubstr("no [[variant]]"));
  EXPECT_THAT(error_of(study("", kHead, "")), HasSubstr("no [metric]"));
  EXPECT_THAT(error_of(study("", "title = \"t\"\nworkloads = [\"bfs\"]\n")),
              HasSubstr("'machine' is missing"));
  EXPECT_THAT(error_of(study(claim("kind = \"gain\"\nvariant = \"wide\"\n"))),
              HasSubstr("one of 'value', 'range', 'at_least' and 'at_most' must be given"));
  EXPECT_THAT(error_of(study(claim("kind = \"gain\"\nvalue = 1\nvariant = \"wide\"\n"), kHead,
                             "[metric]\nname = \"ipc\"\n")),
              HasSubstr("a gain needs 'relative_to'"));
}

TEST(ExperimentErrors, RejectClaimsThatCannotBeJudged) {
  EXPECT_THAT(error_of(study(claim("kind = \"gain\"\nvalue = 0\nvariant = \"wide\"\n"))),
              HasSubstr("a 'value' of 0 needs 'within'"));
  const auto error_of_range = [](const std::string& range) {
    return error_of(study(claim("kind = \"gain\"\nvariant = \"wide\"\n" + range)));
  };
  EXPECT_THAT(error_of_range("value = 1\nat_most = 2\n"),
              HasSubstr("one of 'value', 'range', 'at_least' and 'at_most' must be given"));
  EXPECT_THAT(error_of_range("range = [2, 1]\n"), HasSubstr("the smaller one first"));
  EXPECT_THAT(error_of_range("range = [1]\n"), HasSubstr("'range' must be two numbers"));
  EXPECT_THAT(error_of_range("at_least = inf\n"), HasSubstr("'at_least' must be a number"));
  EXPECT_THAT(error_of(study(claim("kind = \"order\"\norder = [\"wide\"]\n"))),
              HasSubstr("'order' needs two or more variants"));
  EXPECT_THAT(error_of(study(claim("kind = \"order\"\nvalue = 1\norder = [\"wide\", \"base\"]\n"))),
              HasSubstr("a claim of kind \"order\" has no 'value'"));
}

TEST(ExperimentErrors, ReportImpossibleRunsBeforeAnySimulation) {
  EXPECT_THAT(error_of(study("[[workload]]\nname = \"scan\"\nsize = \"paper\"\n")),
              HasSubstr("no paper gives a size for 'scan'"));
  EXPECT_THAT(
      error_of("registers = \"paper\"\n" + study()),
      AllOf(StartsWith("study.toml:5:"), HasSubstr("no paper gives the registers of 'bfs'")));
}

TEST(Experiment, AllowsARowToOverrideRegistersWithoutPaperFigure) {
  const Experiment experiment = read_experiment(
      R"(registers = "paper"
title = "t"
machine = "storage"
workloads = ["hotspot"]
[[workload]]
name = "bfs"
registers = "compiled"
[[workload]]
name = "scan"
registers = "16"
)" + std::string(kMetric) +
          kVariants,
      "study", "study.toml");
  EXPECT_EQ(name_of(experiment.rows[0].registers), "paper");
  EXPECT_EQ(name_of(experiment.rows[1].registers), "compiled");
  EXPECT_EQ(name_of(experiment.rows[2].registers), "16");
  EXPECT_EQ(experiment.rows[2].registers.count, 16u);
}

TEST(Experiment, AllowsARowWithAResidentGrid) {
  const Experiment experiment = read_experiment(
      R"(grid = "resident"
title = "t"
machine = "storage"
workloads = ["black-scholes"]
[[workload]]
name = "bfs"
grid = "input"
)" + std::string(kMetric) +
          kVariants,
      "study", "study.toml");
  EXPECT_EQ(experiment.rows[0].grid, workload::GridChoice::resident);
  EXPECT_EQ(experiment.rows[1].grid, workload::GridChoice::input);
  EXPECT_THAT(error_of("grid = \"residents\"\n" + study()), HasSubstr("did you mean 'resident'?"));
  EXPECT_THAT(error_of(study("[[workload]]\nname = \"vector-add\"\ngrid = \"resident\"\n")),
              HasSubstr("'vector-add' has no form with grid 'resident'"));
}

constexpr const char* kBest = "[[variant]]\nname = \"best\"\nbest_of = [\"base\", \"wide\"]\n";
constexpr const char* kStacked = R"([chart]
kind = "stacked"
y = "share of cycles"
[[part]]
name = "idle"
metric = "sm.idle_cycles / sm.active_cycles"
)";
constexpr const char* kClasses = R"(kind = "classes"
metric = "warp_ipc"
variant = "base"
bounds = [20, 30.5]
names = ["high", "medium", "low"]
expected = { bfs = "high" }
)";

TEST(Experiment, DoesNotSimulateBestOfVariants) {
  const Experiment experiment = read_experiment(study(kBest), "study", "study.toml");
  ASSERT_EQ(experiment.variants.size(), 3U);
  EXPECT_THAT(experiment.variants[2].best_of, ElementsAre("base", "wide"));
  EXPECT_THAT(experiment.simulated_variants(), ElementsAre(0U, 1U));
  EXPECT_EQ(plan_runs(experiment, {}, sources()).cells.size(), 2U);
}

TEST(Experiment, AllowsBestOfBeforeItsCandidates) {
  const Experiment experiment = read_experiment(
      study("", kHead, kMetric, std::string(kBest) + kVariants), "study", "study.toml");
  EXPECT_THAT(experiment.simulated_variants(), ElementsAre(1U, 2U));
}

TEST(Experiment, RunsOtherWorkloadsInRowsOfAVariant) {
  const Experiment experiment =
      read_experiment(study("[[variant]]\nname = \"other\"\nworkloads = { bfs = \"scan\" }\n"),
                      "study", "study.toml");
  const Plan plan = plan_runs(experiment, {}, sources());
  ASSERT_EQ(plan.cells.size(), 3U);
  EXPECT_EQ(plan.cells[0].workload_name(), "bfs");
  EXPECT_EQ(plan.cells[2].workload_name(), "scan");
  EXPECT_EQ(plan.cells[2].row, "bfs");
  EXPECT_NE(plan.cells[0].key, plan.cells[2].key);
}

TEST(Experiment, RunsAnotherSizeWithOtherRegistersInARowOfAVariant) {
  const Experiment experiment = read_experiment(
      study("[[variant]]\nname = \"other\"\nworkloads = { bfs = \"bfs:small:registers=20\" }\n"),
      "study", "study.toml");
  const Plan plan = plan_runs(experiment, {}, sources());
  ASSERT_EQ(plan.cells.size(), 3U);
  EXPECT_EQ(plan.cells[0].size, workload::Size::tiny);
  EXPECT_EQ(name_of(plan.cells[0].registers), "compiled");
  EXPECT_EQ(plan.cells[2].workload_name(), "bfs");
  EXPECT_EQ(plan.cells[2].size, workload::Size::small);
  EXPECT_EQ(name_of(plan.cells[2].registers), "20");
  const Plan of_one_size = plan_runs(experiment, {.size = workload::Size::medium}, sources());
  EXPECT_EQ(of_one_size.cells[2].size, workload::Size::medium);
}

TEST(ExperimentErrors, CheckWorkloadsOfAVariant) {
  const auto error_of_variant = [](const std::string& keys) {
    return error_of(study("[[variant]]\nname = \"other\"\n" + keys));
  };
  EXPECT_THAT(error_of_variant("workloads = { bsf = \"scan\" }\n"),
              AllOf(StartsWith("study.toml:15:"), HasSubstr("did you mean 'bfs'?")));
  EXPECT_THAT(error_of_variant("workloads = { bfs = \"scna\" }\n"),
              HasSubstr("did you mean 'scan'?"));
  EXPECT_THAT(error_of_variant("workloads = { bfs = \"scan+bfs\" }\n"),
              HasSubstr("'scan+bfs' is several programs"));
  EXPECT_THAT(error_of_variant("workloads = { bfs = \"scan:tiy\" }\n"),
              AllOf(StartsWith("study.toml:15:"), HasSubstr("tiy")));
  EXPECT_THAT(error_of_variant("workloads = { bfs = \"scan:paper\" }\n"),
              HasSubstr("no paper gives a size for 'scan'"));
  EXPECT_THAT(error_of_variant("workloads = { bfs = \"scan:7\" }\n"),
              HasSubstr("'scan:7': a variant's workload has the experiment's seeds"));
  EXPECT_THAT(error_of_variant("workloads = { bfs = \"scan\" }\nbest_of = [\"base\", \"wide\"]\n"),
              HasSubstr("it has no 'workloads'"));
}

TEST(Experiment, DrawsBarsByDefault) {
  EXPECT_EQ(read_experiment(study(), "study", "study.toml").chart.kind, Chart::Kind::bars);
  const Experiment lines = read_experiment(
      study("[chart]\nkind = \"lines\"\nx = \"warps\"\ny = \"IPC\"\n"), "study", "study.toml");
  EXPECT_EQ(lines.chart.kind, Chart::Kind::lines);
  EXPECT_EQ(lines.chart.x, "warps");
  EXPECT_EQ(lines.chart.y, "IPC");
}

TEST(Experiment, ReadsPartsOfStacks) {
  const Experiment experiment = read_experiment(study(kStacked), "study", "study.toml");
  EXPECT_EQ(experiment.chart.kind, Chart::Kind::stacked);
  ASSERT_EQ(experiment.parts.size(), 1U);
  EXPECT_EQ(experiment.parts[0].name, "idle");
  EXPECT_EQ(experiment.parts[0].metric.text(), "sm.idle_cycles / sm.active_cycles");
}

TEST(Experiment, SortsClassesInTheOrderOfRows) {
  const std::string two = "title = \"t\"\nmachine = \"storage\"\nworkloads = [\"scan\", \"bfs\"]\n";
  std::string keys = kClasses;
  keys.replace(keys.find("{ bfs = \"high\" }"), 16, "{ bfs = \"high\", scan = \"low\" }");
  const Experiment experiment = read_experiment(study(claim(keys), two), "study", "study.toml");
  EXPECT_EQ(name_of(experiment.claims.at(0).kind), "classes");
  const auto& classes = std::get<Classes>(experiment.claims.at(0).kind);
  EXPECT_THAT(classes.bounds, ElementsAre(20, 30.5));
  ASSERT_EQ(classes.expected.size(), 2U);
  EXPECT_EQ(classes.expected[0].row, "scan");
  EXPECT_EQ(classes.expected[1].name, "high");
}

TEST(ExperimentErrors, RequireAsManyVariantsAsInTheVariantThatChooses) {
  const std::string best = kBest;
  const auto chosen = [&](const std::string& keys) {
    return error_of(study(best + "[[variant]]\nname = \"chosen\"\n" + keys));
  };
  EXPECT_THAT(chosen("as_in = \"best\"\n"), HasSubstr("a 'best_of', which is missing"));
  EXPECT_THAT(chosen("best_of = [\"base\", \"wide\"]\nas_in = \"bets\"\n"),
              HasSubstr("did you mean 'best'?"));
  EXPECT_THAT(chosen("best_of = [\"base\", \"wide\", \"wide\"]\nas_in = \"best\"\n"),
              HasSubstr("'best' must have a 'best_of' of 3 variants"));
  EXPECT_THAT(chosen("best_of = [\"base\", \"wide\"]\nas_in = \"chosen\"\n"),
              HasSubstr("'chosen' must have a 'best_of' of 2 variants, and no 'as_in'"));
}

TEST(ExperimentErrors, RequireTwoSimulatedVariantsInBestOf) {
  EXPECT_THAT(error_of(study("[[variant]]\nname = \"b\"\nbest_of = [\"wide\"]\n")),
              AllOf(StartsWith("study.toml:15:"), HasSubstr("two or more")));
  EXPECT_THAT(error_of(study("[[variant]]\nname = \"b\"\nbest_of = [\"wide\", \"bas\"]\n")),
              HasSubstr("did you mean 'base'?"));
  EXPECT_THAT(error_of(study("[[variant]]\nname = \"b\"\nbest_of = [\"wide\", \"b\"]\n")),
              HasSubstr("'b' has a 'best_of' itself"));
  EXPECT_THAT(error_of(study(std::string(kBest) + "set = [\"l1.bytes=32K\"]\n")),
              AllOf(StartsWith("study.toml:16:"), HasSubstr("it has no 'set'")));
  EXPECT_THAT(error_of(study(std::string(kBest) + "machine = \"storage\"\n")),
              HasSubstr("it has no 'machine'"));
}

TEST(ExperimentErrors, RequireSimulatedVariantsInSubstitutes) {
  const auto row = [](const char* pair) {
    return study(std::string(kBest) + "[[workload]]\nname = \"fft\"\nsubstitute = { " + pair +
                 " }\n");
  };
  EXPECT_THAT(error_of(row("wide = \"bas\"")),
              AllOf(StartsWith("study.toml:18:"), HasSubstr("did you mean 'base'?")));
  EXPECT_THAT(error_of(row("wid = \"base\"")), HasSubstr("did you mean 'wide'?"));
  EXPECT_THAT(error_of(row("wide = \"best\"")), HasSubstr("'best' has a 'best_of'"));
  EXPECT_EQ(error_of(row("wide = \"base\"")), "");
}

TEST(ExperimentErrors, RejectOrdersWithTooFewBases) {
  const std::string order =
      "[[claim]]\nid = \"c\"\ntext = \"t\"\nkind = \"order\"\norder = [\"base\", \"wide\"]\n";
  EXPECT_THAT(error_of(study(order + "relative_to = [\"base\"]\n")),
              HasSubstr("'order' has 2 variants, and 'relative_to' 1"));
  EXPECT_THAT(error_of(study(order + "relative_to = [\"base\", \"wid\"]\n")),
              HasSubstr("did you mean 'wide'?"));
}

TEST(ExperimentErrors, RejectVariantsAndPartsThatWouldNotBeShown) {
  EXPECT_THAT(error_of(study("", kHead, "[metric]\nname = \"ipc\"\n",
                             "[[variant]]\nname = \"a\"\nhidden = true\n")),
              HasSubstr("all variants are hidden"));
  EXPECT_THAT(error_of(study("[[variant]]\nname = \"c\"\nhidden = 1\n")),
              HasSubstr("'hidden' must be true or false"));
  EXPECT_THAT(error_of(study("[chart]\nkind = \"stacked\"\n")),
              HasSubstr("needs at least one [[part]]"));
  EXPECT_THAT(error_of(study("[[part]]\nname = \"p\"\nmetric = \"ipc\"\n")),
              HasSubstr("only a [chart] of kind \"stacked\" has parts"));
  EXPECT_THAT(error_of(study("[chart]\nkind = \"line\"\n")), HasSubstr("did you mean 'lines'?"));
  EXPECT_THAT(error_of(study("", kHead, "[metric]\nname = \"ipc\"\nbetter = \"lowest\"\n")),
              HasSubstr("did you mean 'lower'?"));
}

TEST(ExperimentErrors, CheckCountersOfPartsOnEachMachine) {
  EXPECT_THAT(error_of(study(std::string(kStacked) +
                             "[[part]]\nname = \"p\"\nmetric = \"sm.idl_cycles\"\n")),
              HasSubstr("did you mean 'sm.idle_cycles'?"));
  EXPECT_THAT(
      error_of(study(std::string(kStacked) + "[[part]]\nname = \"idle\"\nmetric = \"ipc\"\n")),
      HasSubstr("two parts 'idle'"));
}

TEST(ExperimentErrors, RejectClassesThatDoNotMatchTheirBounds) {
  const auto error_with = [](const std::string& old, const std::string& replacement) {
    std::string keys = kClasses;
    keys.replace(keys.find(old), old.size(), replacement);
    return error_of(study(claim(keys)));
  };
  EXPECT_EQ(error_of(study(claim(kClasses))), "");
  EXPECT_THAT(error_with("[20, 30.5]", "[30, 20]"), HasSubstr("strictly increasing"));
  EXPECT_THAT(error_with("[20, 30.5]", "[20, 20]"), HasSubstr("strictly increasing"));
  EXPECT_THAT(error_with("[20, 30.5]", "[20, inf]"), HasSubstr("must be finite"));
  EXPECT_THAT(error_with("[20, 30.5]", "[\"20\"]"), HasSubstr("a list of numbers"));
  EXPECT_THAT(error_with("[20, 30.5]", "[]"), HasSubstr("'bounds' must be given"));
  EXPECT_THAT(error_with(", \"low\"", ""), HasSubstr("2 bounds make 3 classes, and 'names' has 2"));
  EXPECT_THAT(error_with("bfs = \"high\"", "bfs = \"hihg\""), HasSubstr("did you mean 'high'?"));
  EXPECT_THAT(error_with("bfs = \"high\"", "bsf = \"high\""), HasSubstr("did you mean 'bfs'?"));
  EXPECT_THAT(error_with("bfs = \"high\"", ""), HasSubstr("must give the class"));
  EXPECT_THAT(error_with("bfs = \"high\"", "bfs = 3"), HasSubstr("must be a table of strings"));
  EXPECT_THAT(error_with("variant", "value = 3\nvariant"), HasSubstr("has no 'value'"));
  EXPECT_THAT(
      error_of(study(claim("kind = \"gain\"\nvalue = 1\nvariant = \"wide\"\nbounds = [1]\n"))),
      HasSubstr("only a claim of kind \"classes\" has 'bounds'"));
}

TEST(ExperimentErrors, GivePositionOfTomlErrors) {
  EXPECT_THAT(error_of("title = \n"), StartsWith("study.toml:1:"));
  EXPECT_THAT(error_of("[.\n"), StartsWith("study.toml:"));
  EXPECT_THAT(error_of("title = \"\xc3\xa9\"\n"), HasSubstr("ASCII"));
  EXPECT_THAT(error_of("title = 3\n"), HasSubstr("'title' must be a string"));
  EXPECT_THAT(error_of("title = \"t\"\nworkloads = \"bfs\"\n"), HasSubstr("a list of strings"));
  EXPECT_THAT(error_of("title = \"t\"\nworkload = 3\n"), HasSubstr("[[workload]]"));
}

TEST(KnownExperiments, CanAllBePlanned) {
  ASSERT_FALSE(known_experiments().empty());
  const std::size_t step = gpu::test::kSanitized ? 8 : 1;
  for (std::size_t i = 0; i < known_experiments().size(); i += step) {
    const Experiment experiment = load_experiment(std::string(known_experiments()[i].name));
    const Plan plan = plan_runs(experiment, {}, sources());
    EXPECT_EQ(plan.cells.size(), experiment.rows.size() * experiment.simulated_variants().size());
  }
  EXPECT_THROW(load_experiment("no-such-experiment"), InputError);
}

}  // namespace
}  // namespace heddle::lab
