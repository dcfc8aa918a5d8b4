#pragma once

// Answers to one question, each in a file of its own that registers it under a name.
//
//   const SchedulerRegistry::Entry round_robin_entry{"round-robin", "what it does, in a line",
//   make_round_robin};

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle {

/// `Make` is the type of the function that makes an answer.
template <class Make>
class Registry {
 public:
  struct Answer {
    std::string_view name;
    std::string_view summary;
    Make make;
  };
  /// Registers by being made: a namespace-scope constant of the answer's file.
  struct Entry {
    Entry(std::string_view name, std::string_view summary, Make make) {
      auto& all = answers();
      all.push_back({name, summary, make});
      // The order in which files are linked must not show.
      std::sort(all.begin(), all.end(),
                [](const Answer& a, const Answer& b) { return a.name < b.name; });
    }
  };

  static const std::vector<Answer>& all() { return answers(); }
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const Answer& answer : answers()) names.emplace_back(answer.name);
    return names;
  }
  /// Null where there is none of that name.
  static Make find(std::string_view name) {
    for (const Answer& answer : answers()) {
      if (answer.name == name) return answer.make;
    }
    return nullptr;
  }
  /// Throws InputError where there is none of that name.
  static Make get(std::string_view name) {
    if (const Make make = find(name)) return make;
    throw InputError("there is no '" + std::string(name) + "' here" + suggestion(name, names()));
  }

 private:
  static std::vector<Answer>& answers() {
    static std::vector<Answer> all;
    return all;
  }
};

}  // namespace heddle
