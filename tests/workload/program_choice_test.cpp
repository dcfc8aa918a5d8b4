// parse_programs(): parses the programs that run side by side, such as "bfs:tiny+scan".

#include "workload/program_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace heddle::workload {
namespace {

using testing::HasSubstr;

/// The message for a text that is rejected; empty if it is accepted.
std::string error_of(const std::string& text) {
  try {
    parse_programs(text, {});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ProgramChoice, ParsesSizeAndSeedOrUsesDefaults) {
  const ProgramChoice defaults{.size = Size::medium, .seed = 5};
  const std::vector<ProgramChoice> programs =
      parse_programs("bfs:7:tiny+reduction+vector-add:small", defaults);
  ASSERT_EQ(programs.size(), 3U);
  EXPECT_EQ(programs[0].workload->name, "bfs");
  EXPECT_EQ(programs[0].size, Size::tiny);
  EXPECT_EQ(programs[0].seed, 7U);
  EXPECT_EQ(programs[1].workload->name, "reduction");
  EXPECT_EQ(programs[1].size, Size::medium);
  EXPECT_EQ(programs[1].seed, 5U);
  EXPECT_EQ(programs[2].size, Size::small);
  EXPECT_EQ(programs[2].seed, 5U);
}

TEST(ProgramChoice, AllowsAPlusInAWorkloadsName) {
  EXPECT_FALSE(names_several_programs("b+tree"));
  EXPECT_FALSE(names_several_programs("bfs"));
  EXPECT_TRUE(names_several_programs("bfs+reduction"));
  EXPECT_TRUE(names_several_programs("b+tree+bfs"));
  const std::vector<ProgramChoice> programs = parse_programs("bfs+b+tree:tiny:3+b+tree", {});
  ASSERT_EQ(programs.size(), 3U);
  EXPECT_EQ(programs[1].workload->name, "b+tree");
  EXPECT_EQ(programs[1].size, Size::tiny);
  EXPECT_EQ(programs[1].seed, 3U);
  EXPECT_EQ(programs[2].workload->name, "b+tree");
}

TEST(ProgramChoice, ParsesRegisters) {
  const std::vector<ProgramChoice> programs = parse_programs("bfs+scan:registers=16:tiny", {});
  EXPECT_FALSE(programs[0].registers);
  EXPECT_EQ(programs[1].registers, 16U);
  EXPECT_EQ(programs[1].size, Size::tiny);
  EXPECT_THAT(error_of("bfs+scan:registers=0"), HasSubstr("from 1 to 255 registers"));
  EXPECT_THAT(error_of("bfs+scan:registers=many"), HasSubstr("from 1 to 255 registers"));
}

TEST(ProgramChoice, RejectsUnknownNamesAndTooManyPrograms) {
  EXPECT_THAT(error_of("bfs+reductoin"), HasSubstr("unknown workload 'reductoin'"));
  EXPECT_THAT(error_of("bfs+"), HasSubstr("unknown workload ''"));
  EXPECT_THAT(error_of("bfs:tinny+bfs"), HasSubstr("unknown size 'tinny'"));
  EXPECT_THAT(error_of("bfs+bfs+bfs+bfs+bfs+bfs+bfs+bfs+bfs"),
              HasSubstr("names 9 programs; at most 8"));
  EXPECT_EQ(error_of("bfs+bfs+bfs+bfs+bfs+bfs+bfs+bfs"), "");
}

}  // namespace
}  // namespace heddle::workload
