// PolicyRegistry with a seam of four policies, three of which bring parameters.

#include "config/policy_registry.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/set_parameter.h"

namespace heddle::config {
namespace {

/// The policy interface: the colour of a wall.
class Colour {
 public:
  virtual ~Colour() = default;
  virtual std::string of_wall() const = 0;
};

struct ColourDescription {
  std::string policy = "white";
  bool glossy = false;
  PolicyParameters own{};

  void declare(Declarations& parameters);
};

struct Wall {
  int height = 1;
};

struct ColourProperties {
  bool may_fade = false;
};

struct ColourSeam {
  using Policy = Colour;
  using Description = ColourDescription;
  using Place = Wall;
  using Context = Wall;
  using Properties = ColourProperties;
};
using ColourRegistry = PolicyRegistry<ColourSeam>;

void ColourDescription::declare(Declarations& parameters) {
  parameters.choice("policy", policy, ColourRegistry::names(), "the colour of the wall");
  parameters.flag("glossy", glossy, "whether the wall is glossy");
  ColourRegistry::declare(*this, parameters);
}

class Text final : public Colour {
 public:
  explicit Text(std::string text) : text_(std::move(text)) {}
  std::string of_wall() const override { return text_; }

 private:
  std::string text_;
};

const ColourRegistry::Entry white{"white", "no paint",
                                  [](const Wall&) { return std::make_unique<Text>("white"); }};

struct StripesParameters {
  std::uint32_t stripes = 2;

  void declare(Declarations& parameters) {
    parameters.number("stripes", stripes, {.least = 1, .most = 9}, "on a wall");
  }
  void check(const Wall& wall) const {
    if (stripes > static_cast<std::uint32_t>(wall.height)) throw InputError("too many stripes");
  }
};
const ColourRegistry::Entry stripes{
    "striped", "a number of stripes", [](const StripesParameters& own, const Wall& wall) {
      return std::make_unique<Text>(std::to_string(own.stripes) + " stripes on " +
                                    std::to_string(wall.height));
    }};

/// Two policies share these parameters.
struct PaintParameters {
  std::string tint = "red";

  void declare(Declarations& parameters) {
    parameters.choice("tint", tint, {"red", "blue"}, "of the paint");
  }
  ColourProperties properties(const ColourDescription& description) const {
    return {.may_fade = tint == "red" && !description.glossy};
  }
};
const ColourRegistry::Entry paint{
    "paint", "paint of one tint",
    [](const PaintParameters& own, const Wall&) { return std::make_unique<Text>(own.tint); }};
const ColourRegistry::Entry thin{"thin-paint", "translucent paint of one tint",
                                 [](const PaintParameters& own, const Wall&) {
                                   return std::make_unique<Text>("pale " + own.tint);
                                 }};

struct House {
  ColourDescription wall{};
  void declare(Declarations& parameters) { parameters.part("wall", wall); }
};

std::string colour_of(const ColourDescription& description) {
  return ColourRegistry::make(description.policy, description, {.height = 3})->of_wall();
}

TEST(PolicyParameters, AreDeclaredUnderTheirSeamInOrderOfPolicyNames) {
  House house;
  Declarations parameters;
  house.declare(parameters);
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters.all()) names.push_back(parameter.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"wall.policy", "wall.glossy", "wall.tint", "wall.stripes"}));
  EXPECT_EQ(parameters.find("wall.stripes").default_value, "2");
}

TEST(PolicyParameters, CanBeSetForUnselectedPolicies) {
  House house;
  Declarations parameters;
  house.declare(parameters);
  set_parameter(parameters, "wall.stripes=5");
  EXPECT_EQ(colour_of(house.wall), "white");
  set_parameter(parameters, "wall.policy=striped");
  EXPECT_EQ(colour_of(house.wall), "5 stripes on 3");
}

TEST(PolicyParameters, HaveDefaultsIfNotDeclared) {
  EXPECT_EQ(colour_of({.policy = "striped"}), "2 stripes on 3");
}

TEST(PolicyParameters, AreCopiedWithTheDescription) {
  House house;
  Declarations parameters;
  house.declare(parameters);
  set_parameter(parameters, "wall.policy=striped");
  set_parameter(parameters, "wall.stripes=5");
  House other = house;
  Declarations of_other;
  other.declare(of_other);
  EXPECT_EQ(of_other.find("wall.stripes").value(), "5");
  set_parameter(of_other, "wall.stripes=7");
  set_parameter(parameters, "wall.stripes=3");
  EXPECT_EQ(colour_of(other.wall), "7 stripes on 3");
  EXPECT_EQ(colour_of(house.wall), "3 stripes on 3");
}

TEST(PolicyParameters, AreSharedByPoliciesThatNameTheSameStruct) {
  House house;
  Declarations parameters;
  house.declare(parameters);
  set_parameter(parameters, "wall.tint=blue");
  set_parameter(parameters, "wall.policy=paint");
  EXPECT_EQ(colour_of(house.wall), "blue");
  set_parameter(parameters, "wall.policy=thin-paint");
  EXPECT_EQ(colour_of(house.wall), "pale blue");
}

TEST(PolicyParameters, AreCheckedOnlyForTheSelectedPolicy) {
  ColourDescription wall{.policy = "striped"};
  wall.own.of<StripesParameters>().stripes = 4;
  EXPECT_NO_THROW(ColourRegistry::check(wall.policy, wall, {.height = 4}));
  EXPECT_THROW(ColourRegistry::check(wall.policy, wall, {.height = 3}), InputError);
  wall.policy = "white";
  EXPECT_NO_THROW(ColourRegistry::check(wall.policy, wall, {.height = 3}));
}

TEST(PolicyProperties, AreKnownBeforeConstruction) {
  ColourDescription wall{.policy = "paint"};
  EXPECT_TRUE(ColourRegistry::properties(wall.policy, wall).may_fade);
  wall.glossy = true;
  EXPECT_FALSE(ColourRegistry::properties(wall.policy, wall).may_fade);
  wall = {.policy = "striped"};
  EXPECT_FALSE(ColourRegistry::properties(wall.policy, wall).may_fade)
      << "a policy without properties has the defaults";
}

TEST(PolicyRegistry, RejectsUnknownPolicyNameWithSuggestion) {
  try {
    colour_of({.policy = "stripes"});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("striped"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace heddle::config
