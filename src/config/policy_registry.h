#pragma once

// A seam is a policy interface with several implementations, the policies. Each policy has a file
// of its own, which registers it under a name. A policy may bring a struct of its own parameters,
// called `own` in the code. The struct's functions are all optional: they declare parameters,
// reject combinations with other parameters, state properties of the policy, and list the arrays of
// bits that the policy needs (config/storage_list.h):
//
//   struct FetchGroupsParameters {
//     std::uint32_t fetch_group = 8;
//
//     void declare(config::Declarations& parameters);
//     void check(const SchedulerShare& share) const;
//     SchedulerProperties properties(const ScheduleDescription& schedule) const;
//     static void storage(config::StorageList& list);
//   };
//
//   const SchedulerRegistry::Entry fetch_groups_entry{
//       "fetch-groups", "a summary in one line",
//       [](const FetchGroupsParameters& own, const SchedulerPlace& place) {
//         return std::make_unique<FetchGroups>(own.fetch_group, place.warps);
//       }};
//
// The seam's description contains the parameters of all its policies, whichever policy a machine
// selects.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "base/registry.h"
#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::config {

/// For seams whose policies state no properties before they are constructed.
struct NoProperties {};

/// `Seam` names the types that belong to the policy interface:
///
///   struct SchedulerSeam {
///     using Policy = Scheduler;                 // The policy interface.
///     using Description = ScheduleDescription;  // Has the PolicyParameters `policy_parameters`.
///     using Place = SchedulerPlace;             // The surroundings for which a policy is made.
///     using Context = SchedulerShare;           // What check() examines.
///     using Properties = SchedulerProperties;   // Known before construction.
///   };
template <class Seam>
class PolicyRegistry {
  using Policy = typename Seam::Policy;
  using Description = typename Seam::Description;
  using Place = typename Seam::Place;
  using Context = typename Seam::Context;
  using Properties = typename Seam::Properties;

  struct Functions {
    const std::type_info& parameters_type;
    void (*declare)(PolicyParameters&, Declarations&);
    void (*check)(const PolicyParameters&, const Context&);
    Properties (*properties)(const Description&);
    void (*storage)(StorageList&);
    std::unique_ptr<Policy> (*make)(const PolicyParameters&, const Place&);
  };
  using Names = Registry<const Functions*>;

 public:
  /// The constructor registers the policy. Define the entry as a namespace-scope constant in the
  /// policy's file. `make` is a lambda that takes (own parameters, place), or only the place.
  struct Entry {
    template <class Make>
    Entry(std::string_view name, std::string_view summary, Make)
        : entry_(name, summary, &kFunctions<Make, typename Signature<Make>::Own>) {}

   private:
    typename Names::Entry entry_;
  };

  static std::vector<std::string> names() { return Names::names(); }

  /// Declares the parameters of all policies, in the order of the policies' names.
  static void declare(Description& description, Declarations& parameters) {
    std::vector<const std::type_info*> declared;
    for (const auto& policy : Names::all()) {
      const std::type_info& type = policy.make->parameters_type;
      const auto is_same = [&](const std::type_info* other) { return *other == type; };
      if (std::any_of(declared.begin(), declared.end(), is_same)) continue;
      declared.push_back(&type);
      policy.make->declare(description.policy_parameters, parameters);
    }
  }
  // The following functions take a policy's name, and throw InputError if it is unknown.
  /// Throws InputError if the policy cannot be combined with the context.
  static void check(std::string_view name, const Description& description, const Context& context) {
    Names::get(name)->check(description.policy_parameters, context);
  }
  static Properties properties(std::string_view name, const Description& description) {
    return Names::get(name)->properties(description);
  }
  /// Lists the arrays of the named policy or, if the list's scope is `all`, of every policy.
  static void storage(std::string_view name, StorageList& list) {
    if (list.scope() == StorageList::Scope::chosen) {
      Names::get(name)->storage(list);
    } else {
      for (const auto& policy : Names::all()) policy.make->storage(list);
    }
  }
  static std::unique_ptr<Policy> make(std::string_view name, const Description& description,
                                      const Place& place) {
    return Names::get(name)->make(description.policy_parameters, place);
  }

 private:
  struct NoParameters {};

  template <class Make>
  struct Signature : Signature<decltype(&Make::operator())> {};
  template <class Make, class Made, class OwnParameters>
  struct Signature<Made (Make::*)(const OwnParameters&, const Place&) const> {
    using Own = OwnParameters;
  };
  template <class Make, class Made>
  struct Signature<Made (Make::*)(const Place&) const> {
    using Own = NoParameters;
  };

  // The tests for optional functions look only at the name. A function with wrong arguments then
  // fails to compile; otherwise it would silently never be called.
  template <class Own>
  static void declare_own(PolicyParameters& parameters, Declarations& declarations) {
    if constexpr (requires { &Own::declare; }) parameters.get<Own>().declare(declarations);
  }
  template <class Own>
  static void check_own(const PolicyParameters& parameters, const Context& context) {
    if constexpr (requires { &Own::check; }) parameters.get<Own>().check(context);
  }
  template <class Own>
  static Properties properties_of(const Description& description) {
    if constexpr (requires { &Own::properties; }) {
      return description.policy_parameters.template get<Own>().properties(description);
    } else {
      return {};
    }
  }
  template <class Own>
  static void storage_of([[maybe_unused]] StorageList& list) {
    if constexpr (requires { &Own::storage; }) Own::storage(list);
  }
  template <class Make, class Own>
  static std::unique_ptr<Policy> make_policy(const PolicyParameters& parameters,
                                             const Place& place) {
    if constexpr (std::is_same_v<Own, NoParameters>) {
      return Make{}(place);
    } else {
      return Make{}(parameters.get<Own>(), place);
    }
  }

  template <class Make, class Own>
  static constexpr Functions kFunctions{.parameters_type = typeid(Own),
                                        .declare = &declare_own<Own>,
                                        .check = &check_own<Own>,
                                        .properties = &properties_of<Own>,
                                        .storage = &storage_of<Own>,
                                        .make = &make_policy<Make, Own>};
};

}  // namespace heddle::config
