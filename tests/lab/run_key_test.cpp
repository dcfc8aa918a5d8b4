#include "lab/run_key.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::lab {
namespace {

struct RunKey : testing::Test {
  std::string parameters = parameters_of(gpu::load_machine("storage"));
  RunInput input{.workload = "bfs", .ptx = "the kernels", .parameters = parameters, .version = "v"};
};

TEST_F(RunKey, IsTheSameForTheSameRun) {
  EXPECT_EQ(run_key(input), run_key(input));
  EXPECT_EQ(run_key(input).size(), 64U);
}

TEST_F(RunKey, ChangesWithEverythingThatDeterminesARun) {
  std::set<std::string> keys{run_key(input)};
  const auto add = [&](auto change) {
    RunInput changed = input;
    change(changed);
    keys.insert(run_key(changed));
  };
  add([](RunInput& i) { i.version = "w"; });
  add([](RunInput& i) { i.workload = "scan"; });
  add([](RunInput& i) { i.ptx = "the kernels, changed"; });
  add([](RunInput& i) { i.size = workload::Size::tiny; });
  add([](RunInput& i) { i.seed = 2; });
  add([](RunInput& i) { i.registers = parse_register_choice("paper"); });
  add([](RunInput& i) { i.registers = parse_register_choice("16"); });
  add([](RunInput& i) { i.grid = workload::GridChoice::resident; });
  EXPECT_EQ(keys.size(), 9U);
}

TEST_F(RunKey, ChangesWithEveryParameterOfTheMachine) {
  gpu::Machine machine = gpu::load_machine("storage");
  config::Declarations declared;
  machine.declare(declared);
  std::set<std::string> texts{parameters_of(machine)};
  std::size_t changed = 0;
  for (const config::Parameter& parameter : declared.all()) {
    const auto change = [&](auto& value, const auto& other) {
      const auto before = value;
      value = other;
      texts.insert(parameters_of(machine));
      value = before;
      ++changed;
    };
    if (auto* const* flag = std::get_if<bool*>(&parameter.target)) {
      change(**flag, !**flag);
    } else if (auto* const* name = std::get_if<std::string*>(&parameter.target)) {
      change(**name, **name + "!");
    } else if (auto* const* real = std::get_if<double*>(&parameter.target)) {
      change(**real, **real + 0.25);
    } else if (auto* const* wide = std::get_if<std::uint64_t*>(&parameter.target)) {
      change(**wide, **wide + 1);
    } else if (auto* const* whole = std::get_if<std::uint32_t*>(&parameter.target)) {
      change(**whole, **whole + 1);
    }
  }
  EXPECT_EQ(changed, declared.all().size());
  EXPECT_EQ(texts.size(), changed + 1);
}

TEST_F(RunKey, IgnoresTheMachinesNameAndHowItWasSet) {
  gpu::Machine renamed = gpu::load_machine("storage");
  renamed.name = "another";
  renamed.summary = "another";
  EXPECT_EQ(parameters_of(renamed), parameters);
  EXPECT_EQ(parameters_of(gpu::load_machine("storage", {"l1.bytes=64K"})),
            parameters_of(gpu::load_machine("storage", {"l1.bytes=1024", "l1.bytes=65536"})));
}

}  // namespace
}  // namespace heddle::lab
