// Tests of PolicyRegistry with a seam of four policies. A seam is a policy interface with the types
// that its policies are described and constructed with. Three of the policies have parameters of
// their own.

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
  virtual std::string name() const = 0;
};

struct ColourDescription {
  std::string policy = "white";
  bool glossy = false;
  PolicyParameters policy_parameters{};

  void declare(Declarations& parameters);
};

/// The wall for which a policy is constructed and checked.
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

class NamedColour final : public Colour {
 public:
  explicit NamedColour(std::string name) : name_(std::move(name)) {}
  std::string name() const override { return name_; }

 private:
  std::string name_;
};

const ColourRegistry::Entry white{
    "white", "no paint", [](const Wall&) { return std::make_unique<NamedColour>("white"); }};

struct StripesParameters {
  std::uint32_t stripes = 2;

  void declare(Declarations& parameters) {
    parameters.number("stripes", stripes, {.least = 1, .most = 9}, "stripes on the wall");
  }
  void check(const Wall& wall) const {
    if (stripes > static_cast<std::uint32_t>(wall.height)) throw InputError("too many stripes");
  }
};
const ColourRegistry::Entry stripes{
    "striped", "a number of stripes", [](const StripesParameters& parameters, const Wall& wall) {
      return std::make_unique<NamedColour>(std::to_string(parameters.stripes) + " stripes on " +
                                           std::to_string(wall.height));
    }};

/// Two policies share these parameters.
struct PaintParameters {
  std::string tint = "red";

  void declare(Declarations& parameters) {
    parameters.choice("tint", tint, {"red", "blue"}, "tint of the paint");
  }
  ColourProperties properties(const ColourDescription& description) const {
    return {.may_fade = tint == "red" && !description.glossy};
  }
};
const ColourRegistry::Entry paint{"paint", "paint of one tint",
                                  [](const PaintParameters& parameters, const Wall&) {
                                    return std::make_unique<NamedColour>(parameters.tint);
                                  }};
const ColourRegistry::Entry thin{"thin-paint", "translucent paint of one tint",
                                 [](const PaintParameters& parameters, const Wall&) {
                                   return std::make_unique<NamedColour>("pale " + parameters.tint);
                                 }};

/// A description that contains the seam's description as its part "wall".
struct House {
  ColourDescription wall{};
  void declare(Declarations& parameters) { parameters.part("wall", wall); }
};

std::string colour_of(const ColourDescription& description) {
  return ColourRegistry::make(description.policy, description, {.height = 3})->name();
}

TEST(PolicyParameters, AreDeclaredInOrderOfPolicyNames) {
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
  Declarations other_parameters;
  other.declare(other_parameters);
  EXPECT_EQ(other_parameters.find("wall.stripes").value(), "5");
  set_parameter(other_parameters, "wall.stripes=7");
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
  wall.policy_parameters.get<StripesParameters>().stripes = 4;
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
      << "expected the defaults for a policy without properties";
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
