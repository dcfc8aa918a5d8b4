#include "energy/charges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "config/declarations.h"
#include "gpu/chip.h"
#include "gpu/machine.h"

namespace heddle::energy {
namespace {

using testing::Contains;
using testing::IsEmpty;

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

TEST(Charges, WrongPathIssueIsDecodedAndIssued) {
  std::set<Event> events;
  for (const Charge& charge : find_rule("scheduler.wrong_path")->charges) {
    events.insert(charge.event);
  }
  EXPECT_EQ(events, (std::set{Event::instruction_decoded, Event::instruction_issued}));
}

TEST(Charges, OnlyEventsOfUnimplementedMechanismsAreNeverCharged) {
  std::set<std::string_view> uncharged_events;
  for (const std::string& name : event_names()) {
    uncharged_events.insert(description_of(*find_event(name)).name);
  }
  for (const ChargeRule& rule : all_rules()) {
    for (const Charge& charge : rule.charges)
      uncharged_events.erase(description_of(charge.event).name);
  }
  for (const char* const event :
       {"scalar_register_file.read", "scalar_register_file.write", "preexecution.rename",
        "preexecution.mode_switch", "preexecution.queue"}) {
    EXPECT_EQ(uncharged_events.erase(event), 1U) << event;
  }
  EXPECT_THAT(uncharged_events, IsEmpty());
}

}  // namespace
}  // namespace heddle::energy
