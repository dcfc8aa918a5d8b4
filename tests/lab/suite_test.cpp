#include "lab/suite.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <tuple>

#include "base/error.h"
#include "lab/experiment.h"

namespace heddle::lab {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kHead = "paper = \"A paper\"\ntable = \"Table 1\"\n";
constexpr const char* kPrograms = R"(programs = [
  { paper_name = "BFS", origin = "Rodinia", group = "irregular", workload = "bfs" },
  { paper_name = "Tomorrow's", workload = "no-such-workload" },
  { paper_name = "A shader", missing = "it is no CUDA program" },
  { paper_name = "prefix sum", group = "regular", workload = "scan" },
]
)";

Suite suite(const std::string& text) { return read_suite(text, "mine", "mine.toml"); }

std::string error_of(const std::string& text) {
  try {
    suite(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The text of a suite with the given programs.
std::string programs(const std::string& rows) {
  return fmt::format("{}programs = [\n{}\n]\n", kHead, rows);
}

TEST(Suite, NamesTheWorkloadOfEachProgramOrWhyThereIsNone) {
  const Suite read = suite(std::string(kHead) + kPrograms);
  EXPECT_EQ(read.name, "mine");
  EXPECT_EQ(read.paper, "A paper");
  EXPECT_EQ(read.table, "Table 1");
  ASSERT_EQ(read.programs.size(), 4U);
  const auto& [bfs, later, shader, scan] =
      std::tie(read.programs[0], read.programs[1], read.programs[2], read.programs[3]);
  EXPECT_EQ(bfs.workload, &workload::find_workload("bfs"));
  EXPECT_EQ(bfs.origin, "Rodinia");
  EXPECT_EQ(bfs.group, "irregular");
  EXPECT_EQ(bfs.why_absent(), "");
  EXPECT_EQ(later.workload, nullptr);
  EXPECT_EQ(later.workload_name, "no-such-workload");
  EXPECT_EQ(later.why_absent(), "not yet");
  EXPECT_EQ(shader.workload, nullptr);
  EXPECT_EQ(shader.why_absent(), "it is no CUDA program");
  EXPECT_EQ(scan.paper_name, "prefix sum");
}

TEST(Suite, CountsUnnamedAndAvailablePrograms) {
  const Suite read = suite(std::string("unnamed = 3\n") + kHead + kPrograms);
  EXPECT_EQ(read.program_count(), 7U);
  EXPECT_EQ(read.count_runnable(), 2U);
}

TEST(Suite, GivesTheSizeNearestToThePaper) {
  const std::string rows = programs(R"({ paper_name = "BFS", workload = "bfs" },
  { paper_name = "HS", workload = "hotspot", size = "paper" })");
  const Suite without = suite(rows);
  EXPECT_EQ(without.programs[0].size, std::nullopt);
  EXPECT_EQ(without.programs[1].size, workload::Size::paper);
  const Suite with = suite("size = \"medium\"\n" + rows);
  EXPECT_EQ(with.programs[0].size, workload::Size::medium);
  EXPECT_EQ(with.programs[1].size, workload::Size::paper);
}

TEST(SuiteErrors, GivePositionAndSuggestion) {
  EXPECT_THAT(error_of("papers = \"A paper\"\n"),
              AllOf(StartsWith("mine.toml:1:1: error:"), HasSubstr("did you mean 'paper'?")));
  EXPECT_THAT(error_of(programs("{ paper_name = \"BFS\", worklaod = \"bfs\" }")),
              AllOf(StartsWith("mine.toml:4:"), HasSubstr("did you mean 'workload'?")));
  EXPECT_THAT(error_of("paper = \"A paper\"\nprograms = [\n"), StartsWith("mine.toml:"));
  EXPECT_THAT(error_of("paper = \"A paper\"\n"), HasSubstr("'table' is missing"));
  EXPECT_THAT(error_of(std::string("unnamed = -1\n") + kHead),
              AllOf(StartsWith("mine.toml:1:"), HasSubstr("whole number")));
}

TEST(SuiteErrors, RequireEitherAWorkloadOrAReason) {
  const auto needs_one = HasSubstr("'BFS' needs either the 'workload'");
  EXPECT_THAT(error_of(programs("{ paper_name = \"BFS\" }")),
              AllOf(StartsWith("mine.toml:4:"), needs_one));
  EXPECT_THAT(
      error_of(programs("{ paper_name = \"BFS\", workload = \"bfs\", missing = \"lost\" }")),
      AllOf(StartsWith("mine.toml:4:"), needs_one));
  EXPECT_THAT(error_of(programs("{ paper_name = \"BFS\", missing = \"\" }")),
              HasSubstr("'missing' is empty"));
  EXPECT_THAT(error_of(programs("{ workload = \"bfs\" }")), HasSubstr("'paper_name' is missing"));
}

TEST(SuiteErrors, RejectDuplicatePaperNamesAndWorkloads) {
  EXPECT_THAT(error_of(programs("{ paper_name = \"BFS\", workload = \"bfs\" },\n"
                                "{ paper_name = \"BFS\", workload = \"scan\" }")),
              AllOf(StartsWith("mine.toml:5:"), HasSubstr("two programs 'BFS'")));
  EXPECT_THAT(error_of(programs("{ paper_name = \"BFS\", workload = \"bfs\" },\n"
                                "{ paper_name = \"graph\", workload = \"bfs\" }")),
              AllOf(StartsWith("mine.toml:5:"), HasSubstr("'bfs' is the workload of 'BFS'")));
}

TEST(SuiteErrors, RejectASuiteWithoutPrograms) {
  EXPECT_THAT(error_of(kHead), HasSubstr("the suite has no programs"));
  EXPECT_THAT(error_of(std::string(kHead) + "programs = \"bfs\"\n"), StartsWith("mine.toml:3:"));
  EXPECT_THAT(error_of(std::string(kHead) + "programs = [\"bfs\"]\n"), StartsWith("mine.toml:3:"));
}

TEST(SuiteErrors, SuggestTheNearestKnownSuite) {
  try {
    load_suite("warpmen");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("unknown suite 'warpmen'; did you mean 'warpman'?"));
  }
  EXPECT_THROW(load_suite("no-such-file.toml"), InputError);
}

TEST(KnownSuites, HaveAsManyProgramsAsThePapersCount) {
  const std::map<std::string_view, std::uint64_t> expected{
      {"large-warps", 12}, {"preexec", 28},    {"simt-3", 13},     {"simt-5", 11},
      {"simt-5.5", 15},    {"simt-7", 12},     {"storage-5", 210}, {"storage-6", 37},
      {"storage-7", 18},   {"storage-7.2", 6}, {"warpman", 13},
  };
  std::map<std::string_view, std::uint64_t> counts;
  for (const KnownSuite& known : known_suites()) {
    counts[known.name] = load_suite(std::string(known.name)).program_count();
  }
  EXPECT_EQ(counts, expected);
}

/// Whether a workload's citation ("storage Table 4.2") means the suite's table.
bool is_of_table(const Suite& suite, const std::string& citation) {
  const std::string paper = citation.substr(0, citation.find(' '));
  const std::string table = citation.substr(std::min(citation.size(), paper.size() + 1));
  const bool is_of_paper = suite.name == paper || suite.name.starts_with(paper + "-");
  return is_of_paper && (suite.table + " ").find(table + " ") != std::string::npos;
}

TEST(KnownSuites, ContainTheWorkloadsThatCiteTheirTable) {
  for (const KnownSuite& known : known_suites()) {
    const Suite read = load_suite(std::string(known.name));
    if (read.unnamed_programs != 0) continue;
    for (const workload::Workload* workload : workload::all_workloads()) {
      const bool cites_table =
          std::any_of(workload->papers.begin(), workload->papers.end(),
                      [&](const auto& paper) { return is_of_table(read, paper); });
      const bool is_listed = std::any_of(read.programs.begin(), read.programs.end(),
                                         [&](const auto& row) { return row.workload == workload; });
      EXPECT_TRUE(is_listed || !cites_table) << workload->name << " is not in " << read.name;
    }
  }
}

/// Reads an experiment on a suite from files in the same folder.
class SuiteExperiment : public testing::Test {
 protected:
  std::string write_suite(const std::string& text) const {
    std::ofstream(folder_ / "mine.toml") << text;
    return "suite:mine.toml";
  }
  Experiment experiment_on(const std::string& workloads, const std::string& more = "",
                           const std::string& head = "size = \"tiny\"\n") const {
    const std::string text = fmt::format(
        "title = \"t\"\nmachine = \"storage\"\n{}workloads = \"{}\"\n"
        "[metric]\nname = \"ipc\"\n[[variant]]\nname = \"base\"\n{}",
        head, workloads, more);
    return read_experiment(text, "study", (folder_ / "study.toml").string());
  }
  std::string error_of(const std::string& workloads) const {
    try {
      experiment_on(workloads);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  static std::vector<std::string> labels(const Experiment& experiment) {
    std::vector<std::string> labels;
    for (const Row& row : experiment.rows) labels.push_back(row.label);
    return labels;
  }

 private:
  std::filesystem::path folder_ = testing::TempDir();
};

TEST_F(SuiteExperiment, UsesTheSuitesSizesByDefault) {
  const std::string mine =
      write_suite("size = \"medium\"\n" + programs(R"({ paper_name = "BFS", workload = "bfs" },
  { paper_name = "HS", workload = "hotspot", size = "paper" })"));
  const auto sizes = [&](const std::string& head) {
    std::vector<workload::Size> found;
    for (const Row& row : experiment_on(mine, "", head).rows) found.push_back(row.size);
    return found;
  };
  EXPECT_THAT(sizes(""), ElementsAre(workload::Size::medium, workload::Size::paper));
  EXPECT_THAT(sizes("size = \"tiny\"\n"), ElementsAre(workload::Size::tiny, workload::Size::tiny));
}

TEST_F(SuiteExperiment, HasARowForEachAvailableProgram) {
  const Experiment read = experiment_on(write_suite(std::string(kHead) + kPrograms));
  EXPECT_THAT(labels(read), ElementsAre("bfs", "scan"));
  EXPECT_THAT(read.groups(), ElementsAre("irregular", "regular"));
  for (const Row& row : read.rows) EXPECT_EQ(row.size, workload::Size::tiny);
  ASSERT_TRUE(read.suite.has_value());
  EXPECT_EQ(read.suite->name, "mine");
  EXPECT_EQ(read.suite->program_count(), 4U);
}

TEST_F(SuiteExperiment, MayAddRowsToTheSuite) {
  const Experiment read = experiment_on(write_suite(std::string(kHead) + kPrograms),
                                        "[[workload]]\nname = \"hotspot\"\ngroup = \"regular\"\n");
  EXPECT_THAT(labels(read), ElementsAre("bfs", "scan", "hotspot"));
}

TEST_F(SuiteExperiment, RunsAKnownSuiteInTheOrderOfTheTable) {
  EXPECT_THAT(
      labels(experiment_on("suite:large-warps")),
      ElementsAre("blackjack", "bucket-sort", "viterbi", "kmeans", "aes-decrypt", "black-scholes",
                  "needle", "hotspot", "matrix-multiply", "reduction", "histogram", "bfs"));
}

TEST_F(SuiteExperiment, RejectsASuiteWithoutAvailableWorkloads) {
  const std::string none = write_suite(programs("{ paper_name = \"x\", workload = \"nothing\" }"));
  EXPECT_THAT(error_of(none),
              AllOf(HasSubstr("study.toml:4:"), HasSubstr("no program of suite 'mine'")));
}

TEST_F(SuiteExperiment, RejectsAnUnknownSuiteWithPosition) {
  EXPECT_THAT(error_of("suite:preexc"),
              AllOf(HasSubstr("study.toml:4:"), HasSubstr("did you mean 'preexec'?")));
  EXPECT_THAT(error_of("suite:"), HasSubstr("study.toml:4:"));
  EXPECT_THAT(error_of("bfs"), AllOf(HasSubstr("study.toml:4:"), HasSubstr("suite:NAME")));
  EXPECT_THAT(error_of(write_suite("paper = 1\n")), HasSubstr("mine.toml:1:"));
}

}  // namespace
}  // namespace heddle::lab
