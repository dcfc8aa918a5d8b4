// Checks the placements of all workloads and of the corpus, statically and with simulated warps.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "base/file.h"
#include "code/compile.h"
#include "code/lower_corpus.h"
#include "gpu/sanitized.h"
#include "hierarchies.h"
#include "placement_check.h"
#include "ptx/parser.h"

namespace heddle::code::testing {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> all_ptx() {
  std::vector<fs::path> files = test::ptx_files_below(source_file("workloads"));
  for (const char* folder : {"kernels", "language"}) {
    for (const fs::path& file : test::ptx_files_below(test::corpus_folder() / folder))
      files.push_back(file);
  }
  return files;
}

/// The usual hierarchy, and others that each differ from it in one or two parameters.
std::vector<Hierarchy> many_hierarchies() {
  std::vector<Hierarchy> all;
  const auto add = [&](auto change) {
    all.push_back(usual_hierarchy());
    change(all.back());
  };
  add([](Hierarchy&) {});
  add([](Hierarchy& h) { h.last_result = LastResultFile::none; });
  add([](Hierarchy& h) { h.last_result = LastResultFile::unified, h.operand_entries = 1; });
  add([](Hierarchy& h) { h.suspension_ends_strands = false, h.operand_entries = 8; });
  add([](Hierarchy& h) { h.result_levels = ResultLevels::one, h.operand_entries = 2; });
  add([](Hierarchy& h) { h.result_levels = ResultLevels::two_not_operand_file; });
  add([](Hierarchy& h) { h.forward_branches = false, h.operand_entries = 6; });
  add([](Hierarchy& h) { h.partial_ranges = false, h.read_operands = false; });
  add([](Hierarchy& h) { h.operand_entries = 0; });
  add([](Hierarchy& h) { h.variable_entries = true, h.operand_entries = 5; });
  return all;
}

Program compile_file(const fs::path& file, const Hierarchy& hierarchy) {
  ptx::ParseResult parsed = ptx::parse(read_file(file), file.string());
  EXPECT_TRUE(parsed.ok()) << file;
  std::vector<ptx::Module> modules;
  modules.push_back(std::move(parsed.module));
  return compile(modules, {.hierarchy = hierarchy});
}

TEST(PlacementCorpus, HasNoMistakesUnderAnyHierarchy) {
  const std::vector<Hierarchy> hierarchies = many_hierarchies();
  const std::uint32_t seeds = gpu::test::kSanitized ? 2 : 6;
  std::size_t files = 0;
  for (const fs::path& file : all_ptx()) {
    const Hierarchy& hierarchy = hierarchies[files++ % hierarchies.size()];
    for (const Hierarchy& each : {hierarchies[0], hierarchy}) {
      const Program program = compile_file(file, each);
      ASSERT_EQ(program.placement.size(), program.instructions.size());
      for (const FunctionInfo& function : program.functions) {
        for (const std::string& mistake : mistakes_in(program, function, each)) {
          ADD_FAILURE() << file << ": " << mistake;
        }
        for (std::uint32_t seed = 0; seed < seeds; ++seed) {
          for (const auto& mistake :
               mistakes_of_simulated_warp(program, function, each, seed, 2000)) {
            ADD_FAILURE() << file << ": " << mistake;
          }
        }
      }
      if (HasFailure()) return;
    }
  }
  EXPECT_GE(files, 100U);
}

}  // namespace
}  // namespace heddle::code::testing
