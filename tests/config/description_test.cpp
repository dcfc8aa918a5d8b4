#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/error.h"
#include "config/declarations.h"
#include "config/description_file.h"
#include "config/set_parameter.h"

namespace heddle::config {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Cache {
  std::uint64_t bytes = 16384;
  std::uint32_t ways = 4;
  void declare(Declarations& parameters) {
    parameters.number("bytes", bytes, {.unit = "B", .least = 64, .most = 1 << 30},
                      "capacity for data");
    parameters.number("ways", ways, {.least = 1, .most = 64}, "lines per set");
  }
};

struct Machine {
  double clock = 1400;
  bool sleeps = true;
  std::string schedule = "round-robin";
  Cache l1, l2{.bytes = 1 << 20, .ways = 8};
  void declare(Declarations& parameters) {
    parameters.number("clock", clock, {.unit = "MHz", .least = 1, .most = 10000},
                      "clock of the cores");
    parameters.flag("sleeps", sleeps, "whether idle cores sleep");
    parameters.choice("schedule", schedule, {"round-robin", "greedy-oldest"}, "which warp is next");
    parameters.part("l1", l1);
    parameters.part("l2", l2);
  }
};

struct Description : testing::Test {
  Description() { machine.declare(parameters); }

  std::string error_of(std::string_view text) {
    try {
      DescriptionFile(text, "my.toml").read(parameters);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string error_of_setting(std::string_view text) {
    try {
      set_parameter(parameters, text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  Machine machine;
  Declarations parameters;
};

TEST_F(Description, SetsNamedParametersAndKeepsOthers) {
  EXPECT_EQ(error_of("schedule = 'greedy-oldest'\nclock = 700\nsleeps = false\n"
                     "[l1]\nbytes = '32K'\n"),
            "");
  EXPECT_EQ(machine.schedule, "greedy-oldest");
  EXPECT_EQ(machine.clock, 700);
  EXPECT_FALSE(machine.sleeps);
  EXPECT_EQ(machine.l1.bytes, 32768U);
  EXPECT_EQ(machine.l1.ways, 4U);
  EXPECT_EQ(machine.l2.bytes, 1U << 20);
}

TEST_F(Description, ReportsUnknownKeyWithLocationAndSuggestion) {
  EXPECT_THAT(error_of("[l1]\nways = 2\nbites = 64\n"),
              AllOf(HasSubstr("my.toml:3:"), HasSubstr("l1.bites"), HasSubstr("l1.bytes")));
  EXPECT_THAT(error_of("[l3]\nways = 2\n"), AllOf(HasSubstr("my.toml:1:"), HasSubstr("l3")));
}

TEST_F(Description, RejectsValueOutOfRangeAndStatesRange) {
  EXPECT_THAT(error_of("[l1]\nways = 65\n"),
              AllOf(HasSubstr("my.toml:2:"), HasSubstr("l1.ways = 65"), HasSubstr("1 to 64")));
  EXPECT_THAT(error_of("[l1]\nways = -1\n"), HasSubstr("1 to 64"));
  EXPECT_THAT(error_of("clock = nan\n"), HasSubstr("1 to 10000 MHz"));
  EXPECT_THAT(error_of("clock = inf\n"), HasSubstr("1 to 10000 MHz"));
  EXPECT_EQ(error_of("[l1]\nways = 64\n[l2]\nways = 1\n"), "");
}

TEST_F(Description, RejectsValueOfWrongType) {
  EXPECT_THAT(error_of("[l1]\nways = 2.5\n"), HasSubstr("whole number"));
  EXPECT_THAT(error_of("[l1]\nways = [1]\n"), HasSubstr("whole number"));
  EXPECT_THAT(error_of("[l1]\nways = true\n"), HasSubstr("whole number"));
  EXPECT_THAT(error_of("[l1]\nways = '2K'\n"), HasSubstr("whole number"))
      << "only sizes in bytes have suffixes";
  EXPECT_THAT(error_of("sleeps = 1\n"), HasSubstr("yes or no"));
  EXPECT_THAT(error_of("schedule = 'greedy-odest'\n"), HasSubstr("did you mean 'greedy-oldest'"));
  EXPECT_THAT(error_of("schedule = 3\n"), HasSubstr("choice"));
  EXPECT_THAT(error_of("l1 = 3\n"), HasSubstr("'l1'"));
}

TEST_F(Description, ReportsLocationOfInvalidToml) {
  EXPECT_THAT(error_of("clock = 3\n[l1\n"), HasSubstr("my.toml:2:"));
  EXPECT_THAT(error_of("[.;\n"), HasSubstr("invalid TOML"));
  EXPECT_THAT(error_of("clock = 3\n# 7 \xc2\xb5s\n"),
              AllOf(HasSubstr("my.toml:2:"), HasSubstr("ASCII")));
}

TEST_F(Description, ReadsHeadingSeparatelyFromParameters) {
  const std::string text = "summary = 'a machine'\nbased_on = 'other'\nclock = 2\n";
  const DescriptionFile file(text, "my.toml");
  EXPECT_EQ(file.heading().summary, "a machine");
  EXPECT_EQ(file.heading().based_on, "other");
  EXPECT_EQ(error_of(text), "");
  EXPECT_THROW(DescriptionFile("summary = 3", "my.toml").heading(), InputError);
}

TEST_F(Description, ReadsGroupsSeparatelyFromOtherParameters) {
  const std::string text = "[group.b]\nways = 2\n[l1]\nways = 3\n[group.a]\nbytes = '32K'\n";
  const DescriptionFile file(text, "my.toml");
  EXPECT_EQ(file.group_names(), (std::vector<std::string>{"b", "a"}));
  EXPECT_EQ(error_of(text), "");
  EXPECT_EQ(machine.l1.ways, 3U);
  Cache a, b;
  Declarations groups;
  groups.part("group.a", a);
  groups.part("group.b", b);
  file.read_groups(groups);
  EXPECT_EQ(a.bytes, 32768U);
  EXPECT_EQ(a.ways, 4U);
  EXPECT_EQ(b.ways, 2U);
  EXPECT_THROW(DescriptionFile("[group.c]\nways = 2\n", "my.toml").read_groups(groups), InputError);
  EXPECT_THROW(DescriptionFile("group = 2\n", "my.toml").read_groups(groups), InputError);
  EXPECT_TRUE(DescriptionFile("clock = 2\n", "my.toml").group_names().empty());
}

TEST_F(Description, SetsParametersFromCommandLine) {
  set_parameter(parameters, "l2.bytes=2M");
  EXPECT_EQ(machine.l2.bytes, 2U << 20);
  set_parameter(parameters, "clock=650.5");
  EXPECT_EQ(machine.clock, 650.5);
  set_parameter(parameters, "sleeps=no");
  EXPECT_FALSE(machine.sleeps);
  EXPECT_THAT(error_of_setting("l2.byte=2M"), HasSubstr("did you mean 'l2.bytes'"));
  EXPECT_THAT(error_of_setting("l2.bytes"), HasSubstr("KEY=VALUE"));
  EXPECT_THAT(error_of_setting("l2.bytes="), HasSubstr("64 to"));
  EXPECT_THAT(error_of_setting("l2.bytes=2Q"), HasSubstr("64 to"));
  EXPECT_THAT(error_of_setting("l2.bytes=18446744073709551615K"), HasSubstr("64 to"));
  EXPECT_THAT(error_of_setting("l2.bytes=18014398509481985K"),
              HasSubstr("64 to"));  // 2^64 + 1024
  EXPECT_THAT(error_of_setting("l1.ways=4294967297"), HasSubstr("1 to 64"));
}

TEST_F(Description, FormatsDefaultsValuesAndRanges) {
  set_parameter(parameters, "l1.ways=16");
  const Parameter& ways = parameters.find("l1.ways");
  EXPECT_EQ(ways.value(), "16");
  EXPECT_EQ(ways.default_value, "4");
  EXPECT_EQ(ways.range(), "1 to 64");
  EXPECT_EQ(parameters.find("l2.bytes").range(), "64 to 1073741824 B");
  EXPECT_EQ(parameters.find("sleeps").value(), "yes");
  EXPECT_EQ(parameters.find("schedule").range(), "round-robin, greedy-oldest");
}

TEST_F(Description, ListsParametersInOrderOfDeclaration) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters.all()) names.push_back(parameter.name);
  EXPECT_EQ(names, (std::vector<std::string>{"clock", "sleeps", "schedule", "l1.bytes", "l1.ways",
                                             "l2.bytes", "l2.ways"}));
}

TEST_F(Description, ParsesItsOwnFormattedValues) {
  set_parameter(parameters, "l1.ways=16");
  set_parameter(parameters, "clock=0.1e3");
  Machine copy;
  Declarations copied_parameters;
  copy.declare(copied_parameters);
  for (const Parameter& parameter : parameters.all()) {
    set_parameter(copied_parameters, parameter.name, parameter.value());
  }
  EXPECT_EQ(copy.l1.ways, 16U);
  EXPECT_EQ(copy.clock, 100);
}

TEST_F(Description, RejectsDuplicateDeclaration) {
  EXPECT_THROW(machine.declare(parameters), std::logic_error);
}

}  // namespace
}  // namespace heddle::config
