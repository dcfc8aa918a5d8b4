#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "lower_harness.h"

namespace heddle::code::test {
namespace {

namespace fs = std::filesystem;

fs::path corpus() { return fs::path(__FILE__).parent_path().parent_path() / "corpus"; }

std::vector<fs::path> ptx_files_below(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".ptx") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// Instructions that Heddle refuses on purpose.
bool is_meant_to_be_refused(const std::string& message) {
  for (const char* stem : {"'wmma.", "'mma.", "'ldmatrix.", "'mbarrier."}) {
    if (message.find(stem) == 0) return true;
  }
  return false;
}

/// Only a block's last instruction may do this; a guarded one lets the others through.
bool leaves_block(const Instruction& in) {
  switch (in.operation) {
    case Operation::branch:
    case Operation::branch_indexed:
      return true;
    case Operation::ret:
    case Operation::exit:
    case Operation::trap:
      return !in.guard.present();
    default:
      return false;
  }
}

template <class Operands>
bool operands_exist(const Function& body, const Operands& operands) {
  return std::all_of(operands.begin(), operands.end(), [&](const Operand& operand) {
    if (operand.is_predicate()) return operand.index < body.predicates;
    if (!operand.is_register()) return true;
    return operand.index < body.registers.size() &&
           operand.width == body.registers[operand.index].width;
  });
}

bool is_well_formed(const Function& body) {
  if (body.blocks.empty()) return false;
  for (const Block& block : body.blocks) {
    const auto& code = block.instructions;
    if (code.empty()) return false;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (leaves_block(code[i]) && i + 1 != code.size()) return false;
      if (code[i].operation == Operation::branch && code[i].target >= body.blocks.size()) {
        return false;
      }
      if (!operands_exist(body, code[i].sources)) return false;
      if (!operands_exist(body, code[i].destinations)) return false;
    }
  }
  const Instruction& last = body.blocks.back().instructions.back();
  return leaves_block(last) && !last.guard.present();
}

void check_shape(const Unit& unit, const std::string& file) {
  for (std::size_t f = 0; f < unit.bodies.size(); ++f) {
    const Function& body = unit.bodies[f];
    if (unit.program.functions[f].is_extern) {
      EXPECT_TRUE(body.blocks.empty()) << file << " " << body.name;
    } else {
      EXPECT_TRUE(is_well_formed(body)) << file << " " << body.name;
    }
  }
}

TEST(LowerCorpus, EveryCompilersOutputIsTranslatedWhole) {
  std::size_t files = 0;
  for (const char* part : {"kernels", "language"}) {
    for (const fs::path& file : ptx_files_below(corpus() / part)) {
      ptx::ParseResult result = ptx::parse(read_file(file), file.string());
      ASSERT_TRUE(result.ok()) << file;
      std::vector<ptx::Module> modules;
      modules.push_back(std::move(result.module));
      const Unit unit = lower(modules);
      for (const FunctionInfo& info : unit.program.functions) {
        for (const Unsupported& what : info.unsupported) {
          EXPECT_TRUE(is_meant_to_be_refused(what.message))
              << file << ":" << what.ptx_line << ": " << what.message;
        }
      }
      check_shape(unit, file.string());
      ++files;
    }
  }
  EXPECT_GE(files, 40U) << "the corpus is missing";
}

TEST(LowerCorpus, SeparatelyCompiledModulesLink) {
  std::vector<ptx::Module> modules;
  for (const char* name : {"main_unit.ptx", "library_unit.ptx"}) {
    const fs::path file = corpus() / "link" / name;
    ptx::ParseResult result = ptx::parse(read_file(file), file.string());
    ASSERT_TRUE(result.ok()) << file;
    modules.push_back(std::move(result.module));
  }
  const Unit unit = lower(modules);
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
