// Tests of the parser with the fuzzer's seeds, with texts that once crashed the parser, and with
// many damaged copies of the seeds. The parser must end for every text, with messages that can be
// rendered.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <vector>

#include "base/file.h"
#include "ptx/parse_text.h"
#include "source_file.h"

namespace heddle::ptx::test {
namespace {

/// A file of tests/fuzz.
struct Sample {
  std::string name;
  std::string text;
};

/// The PTX files of tests/fuzz/FOLDER/ptx, sorted by name; empty if there is no such folder.
std::vector<Sample> samples(std::string_view folder) {
  std::vector<Sample> out;
  const std::filesystem::path path =
      std::filesystem::path(source_file("tests/fuzz")) / folder / "ptx";
  if (!std::filesystem::exists(path)) return out;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    out.push_back({entry.path().filename().string(), read_file(entry.path())});
  }
  std::sort(out.begin(), out.end(),
            [](const Sample& a, const Sample& b) { return a.name < b.name; });
  return out;
}

/// Parses a text and renders the messages. Expects that the text has each line that a message
/// names.
ParseResult parse_and_render(const std::string& text) {
  ParseResult result = parse(text, "sample.ptx");
  EXPECT_EQ(result.ok(), result.diagnostics.error_count() == 0);
  const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  for (const Diagnostic& d : result.diagnostics.entries()) {
    EXPECT_LE(d.location.line, lines);
    EXPECT_FALSE(d.message.empty());
    EXPECT_LT(d.message.size(), 1000U);
  }
  EXPECT_EQ(render(result.diagnostics, "sample.ptx", text).empty(), result.ok());
  return result;
}

TEST(FuzzSeeds, ParseWithoutErrors) {
  const std::vector<Sample> seeds = samples("seeds");
  EXPECT_GE(seeds.size(), 5U);
  for (const Sample& seed : seeds) {
    EXPECT_TRUE(parse_and_render(seed.text).ok()) << seed.name << "\n"
                                                  << explain(parse_and_render(seed.text));
  }
}

TEST(PastCrashes, DoNotCrashParser) {
  for (const Sample& crash : samples("crashes")) {
    SCOPED_TRACE(crash.name);
    parse_and_render(crash.text);
  }
}

TEST(DamagedTexts, DoNotCrashParserWhenTruncated) {
  for (const Sample& seed : samples("seeds")) {
    SCOPED_TRACE(seed.name);
    const std::size_t step = std::max<std::size_t>(seed.text.size() / 150, 1);
    for (std::size_t length = 0; length < seed.text.size(); length += step) {
      parse_and_render(seed.text.substr(0, length));
    }
  }
}

TEST(DamagedTexts, DoNotCrashParserWithWrongBytes) {
  std::mt19937 random(1);
  constexpr std::string_view kSyntaxCharacters = "{}[]();,:<>|!@.%$_\"/*-+0f\n\0\x80 ";
  for (const Sample& seed : samples("seeds")) {
    SCOPED_TRACE(seed.name);
    for (int i = 0; i < 150; ++i) {
      std::string text = seed.text;
      for (unsigned damages = 1 + random() % 4; damages > 0; --damages) {
        const std::size_t place = random() % text.size();
        switch (random() % 4) {
          case 0:
            text[place] = static_cast<char>(random());
            break;
          case 1:
            text[place] = kSyntaxCharacters[random() % kSyntaxCharacters.size()];
            break;
          case 2:
            text.erase(place, 1 + random() % 8);
            break;
          default:
            text.insert(place, 1, kSyntaxCharacters[random() % kSyntaxCharacters.size()]);
            break;
        }
        if (text.empty()) text = " ";
      }
      parse_and_render(text);
    }
  }
}

TEST(DamagedTexts, DoNotCrashParserWithShuffledLines) {
  std::mt19937 random(2);
  std::vector<std::string> lines;
  for (const Sample& seed : samples("seeds")) {
    std::size_t start = 0;
    while (start < seed.text.size()) {
      const std::size_t end = std::min(seed.text.find('\n', start), seed.text.size());
      lines.push_back(seed.text.substr(start, end - start));
      start = end + 1;
    }
  }
  ASSERT_FALSE(lines.empty());
  for (int i = 0; i < 300; ++i) {
    std::string text(kHeader);
    if (i % 2 == 0) text.append(".entry k() {\n").append(kRegisters);
    for (int n = 0; n < 60; ++n) text.append(lines[random() % lines.size()]).append("\n");
    parse_and_render(text);
  }
}

TEST(HugeTexts, ParseInLinearTime) {
  // A parser whose time grows with the square of a text's length would take far too long for these.
  const auto repeat = [](std::string_view piece, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out.append(piece);
    return out;
  };
  const std::string_view body = ".version 9.0\n.target sm_75\n.entry k() { .reg .b32 %r<9>;\n";
  parse_and_render(std::string(body) + repeat("bra nowhere;\n", 30'000));
  parse_and_render(std::string(body) + repeat("mov.u32 %unknown, 1;\n", 30'000));
  parse_and_render(std::string(body) + repeat("{ bra x; }", 30'000));
  parse_and_render(std::string(body) + repeat("{", 250) + repeat("bra x;", 10'000) +
                   repeat("}", 250));
  parse_and_render(std::string(kHeader) + repeat("{", 100'000));
  parse_and_render(std::string(kHeader) + repeat("[", 100'000));
  parse_and_render(std::string(kHeader) + ".global .u32 a[9999999] = {" + repeat("1,", 50'000));
  parse_and_render(std::string(kHeader) + ".global .u32 a = " + repeat("1+", 50'000) + "1;");
  parse_and_render(std::string(kHeader) + ".entry k(" + repeat(".param .u32 a,", 30'000));
  parse_and_render(std::string(kHeader) + repeat(".reg .b32 %r<4294967295>;", 10'000));
  parse_and_render(std::string(kHeader) + std::string(500'000, 'x'));
  parse_and_render(std::string(kHeader) + "/*" + std::string(500'000, '*'));
  parse_and_render(std::string(body) + "mov.u32 %r1, {" + repeat("%r1,", 30'000) + "%r1};");
  std::string functions;
  for (int i = 0; i < 5'000; ++i) {
    functions +=
        fmt::format(".func f{}() {{ .reg .b32 %r<4000000000>; call f{}; ret; }}\n", i, i / 2);
  }
  EXPECT_TRUE(parse_and_render(std::string(kHeader) + ".func f0();" +
                               functions.substr(functions.find('\n')))
                  .ok());
}

}  // namespace
}  // namespace heddle::ptx::test
