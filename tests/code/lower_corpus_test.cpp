// Tests of lowering the PTX that nvcc and clang made of the programs in tests/corpus.

#include "lower_corpus.h"

#include <utility>

#include "base/file.h"

namespace heddle::code::test {
namespace {

/// Whether the message is about an instruction that Heddle does not support by design.
bool is_expected_refusal(const std::string& message) {
  for (const char* stem : {"'wmma.", "'mma.", "'ldmatrix.", "'mbarrier."}) {
    if (message.find(stem) == 0) return true;
  }
  return false;
}

TEST(LowerCorpus, TranslatesAllCompilerOutput) {
  std::size_t files = 0;
  for (const char* folder : {"kernels", "language"}) {
    for (const fs::path& file : ptx_files_below(corpus_folder() / folder)) {
      ptx::ParseResult result = ptx::parse(read_file(file), file.string());
      ASSERT_TRUE(result.ok()) << file;
      std::vector<ptx::Module> modules;
      modules.push_back(std::move(result.module));
      const CompilationUnit unit = lower(modules);
      for (const FunctionInfo& info : unit.program.functions) {
        for (const Unsupported& what : info.unsupported) {
          EXPECT_TRUE(is_expected_refusal(what.message))
              << file << ":" << what.places.front().ptx_line << ": " << what.message;
        }
      }
      check_shape(unit, file.string());
      ++files;
    }
  }
  EXPECT_GE(files, 40U) << "the corpus is missing";
}

TEST(LowerCorpus, LinksSeparatelyCompiledModules) {
  std::vector<ptx::Module> modules;
  for (const char* name : {"main_unit.ptx", "library_unit.ptx"}) {
    const fs::path file = corpus_folder() / "link" / name;
    ptx::ParseResult result = ptx::parse(read_file(file), file.string());
    ASSERT_TRUE(result.ok()) << file;
    modules.push_back(std::move(result.module));
  }
  const CompilationUnit unit = lower(modules);
  for (const FunctionInfo& info : unit.program.functions) {
    EXPECT_TRUE(info.unsupported.empty()) << info.name << ": " << info.unsupported[0].message;
  }
  for (const Variable& variable : unit.program.variables) {
    EXPECT_FALSE(variable.is_extern) << variable.name;
  }
  check_shape(unit, "link");
}

}  // namespace
}  // namespace heddle::code::test
