// Tests of lowering damaged PTX: lines and tokens of the corpus are replaced at random.

#include <random>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "lower_corpus.h"

namespace heddle::code::test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Replaces a random token (operand, suffix or number) of the line by one from a random line.
std::string mutate_line(std::string line, const std::vector<std::string>& lines,
                        std::mt19937& random) {
  const auto token_in = [&](const std::string& from, std::size_t& begin, std::size_t& end) {
    const std::string separators = " \t,;[]{}().|";
    begin = from.empty() ? 0 : random() % from.size();
    begin = std::min(from.find_first_not_of(separators, begin), from.size());
    end = std::min(from.find_first_of(separators, begin), from.size());
  };
  std::size_t begin = 0;
  std::size_t end = 0;
  token_in(line, begin, end);
  const std::string& other = lines[random() % lines.size()];
  std::size_t other_begin = 0;
  std::size_t other_end = 0;
  token_in(other, other_begin, other_end);
  return line.replace(begin, end - begin, other.substr(other_begin, other_end - other_begin));
}

std::string join(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

TEST(LowerMutations, TranslateOrRejectEveryModuleThatParses) {
  std::mt19937 random(7);
  std::size_t parsed = 0;
  for (const fs::path& file : ptx_files_below(corpus_folder() / "language")) {
    const std::string text = read_file(file);
    if (text.size() > 20'000) continue;
    const std::vector<std::string> lines = lines_of(text);
    for (int round = 0; round < 12; ++round) {
      std::vector<std::string> changed = lines;
      for (int change = 0; change < 2; ++change) {
        std::string& line = changed[random() % changed.size()];
        const std::uint32_t choice = random() % 4;
        if (choice == 0) {
          line = lines[random() % lines.size()];
        } else if (choice == 1) {
          line.clear();
        } else {
          line = mutate_line(line, lines, random);
        }
      }
      ptx::ParseResult result = ptx::parse(join(changed), file.string());
      if (!result.ok()) continue;
      ++parsed;
      std::vector<ptx::Module> modules;
      modules.push_back(std::move(result.module));
      try {
        check_shape(lower(modules), file.string());
      } catch (const InputError& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
  EXPECT_GT(parsed, 50U);
}

}  // namespace
}  // namespace heddle::code::test
