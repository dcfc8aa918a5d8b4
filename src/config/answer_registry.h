#pragma once

// Answers to a question, each in a file of its own that registers it under a name. An answer may
// bring a struct of parameters, and with it, all optional, what the struct declares, refuses and
// says of the answer, and which arrays of bits it needs (config/storage_list.h):
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
//       "fetch-groups", "what it does, in a line",
//       [](const FetchGroupsParameters& own, const SchedulerPlace& place) {
//         return std::make_unique<FetchGroups>(own.fetch_group, place.warps);
//       }};
//
// The parameters of all answers are part of the question's description, under its name, whichever
// answer a machine has.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "base/registry.h"
#include "config/answer_parameters.h"
#include "config/declarations.h"
#include "config/storage_list.h"

namespace heddle::config {

/// Where a question's answers have nothing to be asked before they are made.
struct NoProperties {};

/// `Seam` says what its answers have to do with:
///
///   struct SchedulerSeam {
///     using Answer = Scheduler;                 // The interface of all answers.
///     using Description = ScheduleDescription;  // Has `config::AnswerParameters own`.
///     using Place = SchedulerPlace;             // What one is made for.
///     using Context = SchedulerShare;           // What a check looks at.
///     using Properties = SchedulerProperties;   // What is known of one before it is made.
///   };
template <class Seam>
class AnswerRegistry {
  using Answer = typename Seam::Answer;
  using Description = typename Seam::Description;
  using Place = typename Seam::Place;
  using Context = typename Seam::Context;
  using Properties = typename Seam::Properties;

  struct Functions {
    const std::type_info& own;
    void (*declare)(AnswerParameters&, Declarations&);
    void (*check)(const AnswerParameters&, const Context&);
    Properties (*properties)(const Description&);
    void (*storage)(StorageList&);
    std::unique_ptr<Answer> (*make)(const AnswerParameters&, const Place&);
  };
  using Names = Registry<const Functions*>;

 public:
  /// Registers by being made: a namespace-scope constant of the answer's file. `make` is a lambda
  /// of (own parameters, place), or of the place alone.
  struct Entry {
    template <class Make>
    Entry(std::string_view name, std::string_view summary, Make)
        : entry_(name, summary, &kFunctions<Make, typename Signature<Make>::Own>) {}

   private:
    typename Names::Entry entry_;
  };

  static std::vector<std::string> names() { return Names::names(); }

  /// The parameters of all answers, in the order of the answers' names.
  static void declare(Description& description, Declarations& parameters) {
    std::vector<const std::type_info*> declared;
    for (const auto& answer : Names::all()) {
      const std::type_info& own = answer.make->own;
      const auto is_same = [&](const std::type_info* other) { return *other == own; };
      if (std::any_of(declared.begin(), declared.end(), is_same)) continue;
      declared.push_back(&own);
      answer.make->declare(description.own, parameters);
    }
  }
  // Of the answer of a name. All throw InputError where there is none.
  /// Throws InputError for what does not go together with the answer.
  static void check(std::string_view name, const Description& description, const Context& context) {
    Names::get(name)->check(description.own, context);
  }
  static Properties properties(std::string_view name, const Description& description) {
    return Names::get(name)->properties(description);
  }
  /// Of the answer of that name or, where the list is of all, of each.
  static void storage(std::string_view name, StorageList& list) {
    if (list.of() == StorageList::Of::chosen) {
      Names::get(name)->storage(list);
    } else {
      for (const auto& answer : Names::all()) answer.make->storage(list);
    }
  }
  static std::unique_ptr<Answer> make(std::string_view name, const Description& description,
                                      const Place& place) {
    return Names::get(name)->make(description.own, place);
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

  // Whether there is a function is asked by its name alone: one with other arguments than it is
  // called with must not compile, rather than never be called.
  template <class Own>
  static void declare_own(AnswerParameters& parameters, Declarations& declarations) {
    if constexpr (requires { &Own::declare; }) parameters.of<Own>().declare(declarations);
  }
  template <class Own>
  static void check_own(const AnswerParameters& parameters, const Context& context) {
    if constexpr (requires { &Own::check; }) parameters.of<Own>().check(context);
  }
  template <class Own>
  static Properties properties_of(const Description& description) {
    if constexpr (requires { &Own::properties; }) {
      return description.own.template of<Own>().properties(description);
    } else {
      return {};
    }
  }
  template <class Own>
  static void storage_of([[maybe_unused]] StorageList& list) {
    if constexpr (requires { &Own::storage; }) Own::storage(list);
  }
  template <class Make, class Own>
  static std::unique_ptr<Answer> make_answer(const AnswerParameters& parameters,
                                             const Place& place) {
    if constexpr (std::is_same_v<Own, NoParameters>) {
      return Make{}(place);
    } else {
      return Make{}(parameters.of<Own>(), place);
    }
  }

  template <class Make, class Own>
  static constexpr Functions kFunctions{.own = typeid(Own),
                                        .declare = &declare_own<Own>,
                                        .check = &check_own<Own>,
                                        .properties = &properties_of<Own>,
                                        .storage = &storage_of<Own>,
                                        .make = &make_answer<Make, Own>};
};

}  // namespace heddle::config
