#include "sm/redundancy/register_lives.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace heddle::sm {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr LaneMask kAll = LaneMask::all();
constexpr LaneMask kLow(0x0000ffff);
constexpr LaneMask kHigh(0xffff0000);

class RegisterLivesTest : public testing::Test {
 protected:
  void write(std::uint64_t at, LaneMask lanes, Protection protection = Protection::none) {
    lives.write(2, 7, Cycle(at), lanes, protection);
  }
  std::vector<Stretch> read(std::uint64_t at) {
    const auto stretches = lives.read(2, 7, Cycle(at));
    return {stretches.begin(), stretches.end()};
  }
  static Stretch stretch(std::uint64_t begin, std::uint64_t end, LaneMask lanes = kAll,
                         Protection protection = Protection::none) {
    return {Cycle(begin), Cycle(end), protection, lanes};
  }

  RegisterLives lives;
};

TEST_F(RegisterLivesTest, ReadsEndStretchesOfOneLife) {
  write(100, kAll, Protection::duplicated);
  EXPECT_THAT(read(130), ElementsAre(stretch(100, 130, kAll, Protection::duplicated)));
  EXPECT_THAT(read(135), ElementsAre(stretch(130, 135, kAll, Protection::duplicated)));
}

TEST_F(RegisterLivesTest, ValueThatIsOverwrittenUnreadWasNotLive) {
  write(100, kAll);
  write(110, kAll);
  EXPECT_THAT(read(130), ElementsAre(stretch(110, 130)));
}

TEST_F(RegisterLivesTest, PartialWriteKeepsTheOtherLanesAlive) {
  write(100, kAll, Protection::duplicated);
  write(110, kLow);
  EXPECT_THAT(read(130),
              ElementsAre(stretch(100, 110, kHigh, Protection::duplicated), stretch(110, 130)));
  EXPECT_THAT(read(140), ElementsAre(stretch(130, 140)));
}

TEST_F(RegisterLivesTest, PartialWritesOfAllLanesEndALife) {
  write(100, kAll);
  write(110, kLow);
  write(120, kHigh);
  EXPECT_THAT(read(130), ElementsAre(stretch(110, 120, kLow), stretch(120, 130)));
}

TEST_F(RegisterLivesTest, RepeatedWritesOfTheSameLanesAreOneStretch) {
  write(100, kAll);
  for (std::uint64_t at = 110; at < 210; at += 10) write(at, kLow);
  EXPECT_THAT(read(230), ElementsAre(stretch(100, 200, kHigh), stretch(200, 230)));
}

TEST_F(RegisterLivesTest, RegisterIsNotLiveBeforeItsFirstWrite) {
  EXPECT_THAT(read(90), IsEmpty());
  write(100, kLow);
  EXPECT_THAT(read(130), ElementsAre(stretch(100, 130)));
  lives.ended(2);
  EXPECT_THAT(read(200), IsEmpty());
  write(210, kHigh);
  EXPECT_THAT(read(211), ElementsAre(stretch(210, 211)));
}

TEST_F(RegisterLivesTest, EndedWarpKeepsNoStretches) {
  write(100, kAll);
  write(110, kLow);
  lives.ended(2);
  EXPECT_THAT(read(130), IsEmpty());
  EXPECT_EQ(lives.last(2, 7, Cycle(140)), std::nullopt);
}

TEST_F(RegisterLivesTest, RegistersAndWarpsAreSeparate) {
  write(100, kAll);
  EXPECT_THAT(lives.read(3, 7, Cycle(120)), IsEmpty());
  EXPECT_THAT(lives.read(2, 8, Cycle(120)), IsEmpty());
  EXPECT_EQ(lives.last(2, 7, Cycle(120)), stretch(100, 120));
}

}  // namespace
}  // namespace heddle::sm
