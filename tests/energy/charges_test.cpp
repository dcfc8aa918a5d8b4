#include "energy/charges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "config/declarations.h"
#include "energy/account.h"
#include "gpu/chip.h"
#include "gpu/machine.h"
#include "sm/redundancy/redundancy.h"

namespace heddle::energy {
namespace {

using testing::Contains;
using testing::IsEmpty;

// -- a redundancy policy with every counter that takes energy -------------------------------------

struct CountedParameters {
  static void storage(config::StorageList& list) {
    list.add({.name = "scalar_register_file",
              .bits = "128 * 32",
              .meaning = "for tests",
              .source = "this test"});
  }
};

class Counted final : public sm::Redundancy {
 public:
  sm::Plan plan(const sm::PassValues&, Cycle) override { return {}; }
  void observe_executed(const sm::PassValues&, Cycle) override {}
  void declare(CounterList& counters) override {
    for (const char* const name : {"scalar.reads", "scalar.writes", "reuse.lookups",
                                   "reuse.updates", "copies", "checks", "uniform"}) {
      counters.add(name, zero_, "", "");
    }
  }

 private:
  std::uint64_t zero_ = 0;
};

const sm::RedundancyRegistry::Entry counted_entry{
    "counted", "for tests: declares counters and a scalar register file",
    [](const CountedParameters&, const sm::RedundancyDescription&) {
      return std::make_unique<Counted>();
    }};

// -- the counters of all machines -----------------------------------------------------------------

std::set<std::string> counters_of(const std::string& machine,
                                  const std::vector<std::string>& settings = {}) {
  std::set<std::string> names;
  for (const gpu::CounterName& counter : gpu::counters_of(gpu::load_machine(machine, settings))) {
    names.insert(counter.name);
  }
  return names;
}

/// Returns every setting that selects one of several policies, such as "operands.policy=flat".
std::vector<std::string> choices_of(const std::string& machine) {
  gpu::Machine loaded = gpu::load_machine(machine);
  config::Declarations parameters;
  loaded.declare(parameters);
  std::vector<std::string> settings;
  for (const config::Parameter& parameter : parameters.all()) {
    for (const std::string& choice : parameter.choices) {
      settings.push_back(parameter.name + "=" + choice);
    }
  }
  return settings;
}

/// Returns the counters of all machines. Adds those of one machine with each policy in turn that is
/// compatible with the machine's other policies.
std::set<std::string> all_counters() {
  std::set<std::string> names;
  for (const gpu::KnownMachine& machine : gpu::known_machines()) {
    names.merge(counters_of(std::string(machine.name)));
  }
  std::size_t compatible_settings = 0;
  for (const std::string& setting : choices_of("preexec")) {
    try {
      names.merge(counters_of("preexec", {setting}));
      ++compatible_settings;
    } catch (const InputError&) {
    }
  }
  for (const std::string policy : {"register-cache", "managed"}) {
    names.merge(counters_of("storage", {"operands.policy=" + policy, "operands.check_values=yes"}));
  }
  names.merge(counters_of("storage", {"operands.policy=managed", "operands.pool_words=24"}));
  names.merge(counters_of("storage", {"redundancy.observe=yes"}));
  for (const std::string policy : {"token", "scalar-file"}) {
    names.merge(
        counters_of("uniform", {"redundancy.policy=" + policy, "redundancy.detect_errors=yes"}));
  }
  EXPECT_GT(compatible_settings, 25U);
  return names;
}

TEST(Charges, CoverEveryCounterOfEveryMachineAndPolicy) {
  for (const std::string& counter : all_counters()) {
    EXPECT_NE(find_rule(counter), nullptr) << counter << " needs a rule in energy/charges.cpp";
  }
}

TEST(Charges, EachRuleEitherChargesOrGivesAReason) {
  for (const ChargeRule& rule : all_rules()) {
    EXPECT_NE(rule.charges.empty(), rule.why_free.empty()) << rule.counter;
  }
}

TEST(Charges, EachCounterHasOneRuleAndChargesAnEventOnce) {
  std::set<std::string_view> counters;
  for (const ChargeRule& rule : all_rules()) {
    EXPECT_TRUE(counters.insert(rule.counter).second) << rule.counter;
    std::set<Event> events;
    for (const Charge& charge : rule.charges) {
      EXPECT_TRUE(events.insert(charge.event).second) << rule.counter;
    }
  }
}

TEST(Charges, EachRuleMatchesACounterOfSomeMachine) {
  std::set<std::string_view> matching_rules;
  for (const std::string& counter : all_counters()) {
    if (const ChargeRule* const rule = find_rule(counter)) matching_rules.insert(rule->counter);
  }
  for (const ChargeRule& rule : all_rules()) EXPECT_THAT(matching_rules, Contains(rule.counter));
}

TEST(Charges, CountersOwnRulePrecedesThatOfItsFamily) {
  EXPECT_FALSE(find_rule("scheduler.selected")->charges.empty());
  EXPECT_TRUE(find_rule("scheduler.no_warps")->charges.empty());
  EXPECT_FALSE(find_rule("constant.misses")->charges.empty());
  EXPECT_TRUE(find_rule("constant.hits")->charges.empty());
  EXPECT_EQ(find_rule("register_cache.reads"), nullptr);
}

TEST(Charges, SpeculativeIssueIsDecodedAndIssued) {
  for (const char* const counter : {"scheduler.wrong_path", "scheduler.ahead"}) {
    std::set<Event> events;
    for (const Charge& charge : find_rule(counter)->charges) events.insert(charge.event);
    EXPECT_EQ(events, (std::set{Event::instruction_decoded, Event::instruction_issued})) << counter;
  }
}

/// The picojoules of a component, by simt-40nm, if the counters have these values.
Picojoules picojoules(Component component,
                      const std::map<std::string, std::uint64_t, std::less<>>& counters) {
  const gpu::Machine machine = gpu::load_machine("uniform", {"redundancy.policy=counted"});
  const Account result = account(load_technology("simt-40nm"), machine, {.counters = counters});
  EXPECT_THAT(result.missing, IsEmpty());
  return result.find(component).dynamic_energy;
}

// The figures are those of Xiang, Toward Efficient SIMT Execution, Table 2, for one lane.
TEST(Charges, RegisterOfOneLaneTakesAThirtySecondOfAWholeOne) {
  const std::map<std::string, std::uint64_t, std::less<>> reads{{"operands.reads", 1000},
                                                                {"operands.one_lane_reads", 400}};
  const std::map<std::string, std::uint64_t, std::less<>> writes{
      {"operands.writes", 1000}, {"operands.one_lane_writes", 1000}};
  EXPECT_EQ(picojoules(Component::register_file, reads), 600 * 32 * 2.46 + 400 * 2.46);
  EXPECT_EQ(picojoules(Component::register_wires, reads), 600 * 32 * 1.9 + 400 * 1.9);
  EXPECT_EQ(picojoules(Component::operand_collectors, reads), 600 * 52 + 400 * 52 / 32);
  EXPECT_EQ(picojoules(Component::register_file, writes), 5820U);
  EXPECT_EQ(picojoules(Component::register_wires, writes), 1900U);
}

TEST(Charges, ScalarRegisterTakesItsOwnFigureAndWiresOfOneLane) {
  EXPECT_EQ(picojoules(Component::scalar_register_file,
                       {{"redundancy.scalar.reads", 1000}, {"redundancy.scalar.writes", 2000}}),
            176U + 2 * 162U);
  EXPECT_EQ(picojoules(Component::register_wires,
                       {{"redundancy.scalar.reads", 10}, {"redundancy.scalar.writes", 20}}),
            57U);
  EXPECT_EQ(picojoules(Component::register_file, {{"redundancy.scalar.reads", 10}}), 0U);
}

TEST(Charges, CopyReadsOneLaneAndWritesAll) {
  EXPECT_EQ(picojoules(Component::register_file, {{"redundancy.copies", 100}}), 246U + 32 * 582U);
}

TEST(Charges, CheckComparesTwoLanes) {
  EXPECT_EQ(picojoules(Component::integer_units, {{"redundancy.errors.comparisons", 10000}}), 889U);
  EXPECT_EQ(picojoules(Component::register_file, {{"redundancy.errors.comparisons", 10000}}), 0U);
}

TEST(Charges, SecondCopyWritesOneLane) {
  const std::map<std::string, std::uint64_t, std::less<>> copies{
      {"redundancy.errors.second_copies", 1000}};
  EXPECT_EQ(picojoules(Component::register_file, copies), 5820U);
  EXPECT_EQ(picojoules(Component::register_wires, copies), 1900U);
  EXPECT_EQ(picojoules(Component::scalar_register_file, copies), 0U);
}

TEST(Charges, ReuseBufferTakesTheModelsEnergyOfAnEntry) {
  // Its 0.15 KB take less than a bank of 1 KB, which is as wide: 3.2 and 3.9 pJ at 32 nm (Gebhart,
  // Table 4.7), times (40 / 32)^2. They take more than 0.5 KB whose words have 32 bits: 0.176 and
  // 0.162 pJ (Xiang, Table 2).
  const Picojoules lookup =
      picojoules(Component::reuse_buffer, {{"redundancy.reuse.lookups", 1000}});
  EXPECT_GT(lookup, 176U);
  EXPECT_LT(lookup, 5000U);
  const Picojoules update =
      picojoules(Component::reuse_buffer, {{"redundancy.reuse.updates", 1000}});
  EXPECT_GT(update, 162U);
  EXPECT_LT(update, 6094U);
}

TEST(Charges, ScalarRegisterFileLeaksIfAPolicyDeclaresIt) {
  const auto leakage = [](const std::string& policy) {
    const gpu::Machine machine = gpu::load_machine("uniform", {"redundancy.policy=" + policy});
    const Account result =
        account(load_technology("simt-40nm"), machine, {.cycles = machine.clock.core_mhz * 1000});
    return result.find(Component::scalar_register_file).static_energy / machine.chip.sms;
  };
  EXPECT_EQ(leakage("none"), 0U);
  EXPECT_EQ(leakage("counted"), 1'000'000U) << "1 mW for a millisecond, in picojoules";
}

TEST(Charges, ChargeEveryEvent) {
  std::set<std::string_view> uncharged_events;
  for (const std::string& name : event_names()) {
    uncharged_events.insert(description_of(*find_event(name)).name);
  }
  for (const ChargeRule& rule : all_rules()) {
    for (const Charge& charge : rule.charges)
      uncharged_events.erase(description_of(charge.event).name);
  }
  EXPECT_THAT(uncharged_events, IsEmpty());
}

}  // namespace
}  // namespace heddle::energy
