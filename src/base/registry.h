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

/// `Make` is a pointer to the function that constructs a policy, or to a table of its functions.
template <class Make>
class Registry {
 public:
  struct NamedPolicy {
    std::string_view name;
    std::string_view summary;
    Make make;
  };
  /// The constructor registers the policy. Define the entry as a namespace-scope constant in the
  /// policy's file.
  struct Entry {
    Entry(std::string_view name, std::string_view summary, Make make) {
      auto& all = policies();
      all.push_back({name, summary, make});
      // Sorted, so that the link order of files has no effect.
      std::sort(all.begin(), all.end(),
                [](const NamedPolicy& a, const NamedPolicy& b) { return a.name < b.name; });
    }
  };

  /// All policies, sorted by name.
  static const std::vector<NamedPolicy>& all() { return policies(); }
  static std::vector<std::string> names() {
    std::vector<std::string> names;
    for (const NamedPolicy& policy : policies()) names.emplace_back(policy.name);
    return names;
  }
  /// Returns null if no policy has that name.
  static Make find(std::string_view name) {
    for (const NamedPolicy& policy : policies()) {
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
  static std::vector<NamedPolicy>& policies() {
    static std::vector<NamedPolicy> all;
    return all;
  }
};

}  // namespace heddle
