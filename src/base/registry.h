#pragma once

// The named implementations of one policy interface. Each policy has a file of its own, which
// registers it:
//
//   const SchedulerRegistry::Entry round_robin_entry{"round-robin", "a summary in one line",
//                                                    make_round_robin};

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle {

/// `Make` is the type of the function that constructs a policy.
template <class Make>
class Registry {
 public:
  struct Registered {
    std::string_view name;
    std::string_view summary;
    Make make;
  };
  /// Registers a policy when it is constructed; define it as a namespace-scope constant in the
  /// policy's file.
  struct Entry {
    Entry(std::string_view name, std::string_view summary, Make make) {
      auto& all = registered();
      all.push_back({name, summary, make});
      // Sorted, so that the link order of files has no effect.
      std::sort(all.begin(), all.end(),
                [](const Registered& a, const Registered& b) { return a.name < b.name; });
    }
  };

  static const std::vector<Registered>& all() { return registered(); }
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const Registered& policy : registered()) names.emplace_back(policy.name);
    return names;
  }
  /// Null if no policy has that name.
  static Make find(std::string_view name) {
    for (const Registered& policy : registered()) {
      if (policy.name == name) return policy.make;
    }
    return nullptr;
  }
  /// Throws InputError if no policy has that name.
  static Make get(std::string_view name) {
    if (const Make make = find(name)) return make;
    throw InputError("unknown policy '" + std::string(name) + "'" + suggestion(name, names()));
  }

 private:
  static std::vector<Registered>& registered() {
    static std::vector<Registered> all;
    return all;
  }
};

}  // namespace heddle
