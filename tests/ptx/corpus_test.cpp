// Tests that the parser accepts every PTX text in tests/corpus, which real compilers produced.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/file.h"
#include "ptx/parse_text.h"
#include "source_file.h"

namespace heddle::ptx::test {
namespace {

/// All PTX files of the corpus, sorted by path.
std::vector<std::filesystem::path> corpus_files() {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = source_file("tests/corpus");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".ptx") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Counts the lines that contain an instruction, by simple text rules and without the parser.
std::size_t count_instruction_lines(const std::string& text) {
  std::size_t count = 0;
  std::size_t start = 0;
  bool in_section = false;
  while (start < text.size()) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string line = text.substr(start, end - start);
    start = end + 1;
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with(".section")) in_section = true;
    if (in_section && line.starts_with("}")) in_section = false;
    if (in_section || line.empty() || line.find(".callprototype") != std::string::npos) continue;
    const bool begins_instruction = line[0] == '@' || (line[0] >= 'a' && line[0] <= 'z');
    // A call extends over several lines, so its first line need not end with ';'.
    if (begins_instruction && (line.starts_with("call") || line.find(';') != std::string::npos))
      ++count;
  }
  return count;
}

TEST(Corpus, IsNotEmpty) { EXPECT_FALSE(corpus_files().empty()); }

TEST(Corpus, ParsesWithoutErrors) {
  for (const std::filesystem::path& path : corpus_files()) {
    const std::string text = read_file(path);
    const ParseResult result = parse(text, path.filename().string());
    EXPECT_TRUE(result.ok()) << render(result.diagnostics, path.string(), text);
    std::size_t instructions = 0;
    for (const Function& f : result.module.functions) instructions += f.body.size();
    // There can be more, since inline assembly can have several instructions in a line.
    EXPECT_GE(instructions, count_instruction_lines(text)) << path;
  }
}

TEST(Corpus, ContainsOnlyValidReferences) {
  for (const std::filesystem::path& path : corpus_files()) {
    const ParseResult result = parse(read_file(path), "");
    const Module& m = result.module;
    for (const Function& f : m.functions) {
      // Expects that whatever the operand refers to exists.
      const auto check = [&](const Operand& o) {
        const std::size_t limit = [&]() -> std::size_t {
          switch (o.kind) {
            case Operand::Kind::reg:
              return f.registers.size();
            case Operand::Kind::special:
              return kSpecialRegisterCount;
            case Operand::Kind::label:
              return f.labels.size();
            case Operand::Kind::variable:
              return m.variables.size();
            case Operand::Kind::function:
              return m.functions.size();
            case Operand::Kind::prototype:
              return f.prototypes.size();
            case Operand::Kind::branches:
              return f.branch_tables.size();
            case Operand::Kind::address:
              return o.base == Operand::Base::reg        ? f.registers.size()
                     : o.base == Operand::Base::variable ? m.variables.size()
                                                         : 1;
            case Operand::Kind::vector:
            case Operand::Kind::list:
            case Operand::Kind::pair:
            case Operand::Kind::texture:
              return f.operand_lists.size() + 1 - o.count;
            default:
              return 1;
          }
        }();
        ASSERT_LT(o.index, limit) << path << " " << f.name;
      };
      for (const Instruction& i : f.body) {
        for (const Operand& o : i.operands) check(o);
        if (i.guard.present()) {
          ASSERT_EQ(f.registers.at(i.guard.reg).type, ValueType::pred);
        }
        if (i.source != kNoIndex) {
          ASSERT_LT(i.source, m.source_lines.size());
        }
      }
      for (const Operand& o : f.operand_lists) check(o);
      for (const Label& l : f.labels) ASSERT_LE(l.instruction, f.body.size());
    }
  }
}

}  // namespace
}  // namespace heddle::ptx::test
