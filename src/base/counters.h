#pragma once

// Event counters. A component keeps plain integers and declares each of them once, with its unit
// and meaning. Listing, summing and writing counters all use these declarations. In a list, the
// meaning follows the unit: "accesses that hit".
//
//   struct CacheCounters {
//     std::uint64_t hits = 0;
//     void declare(CounterList& counters) {
//       counters.add("hits", hits, "accesses", "that hit");
//     }
//   };

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

struct Counter {
  std::string name;  ///< Begins with the names of the enclosing parts: "l1.hits".
  const std::uint64_t* value = nullptr;
  std::string_view unit;
  std::string_view meaning;
};

/// The counters of a component and of its parts, in the order of their declaration. Counters of the
/// same name in several components are summed.
class CounterList {
 public:
  /// `value`, `unit` and `meaning` must outlive the list.
  void add(std::string_view name, const std::uint64_t& value, std::string_view unit,
           std::string_view meaning) {
    counters_.push_back({prefix_ + std::string(name), &value, unit, meaning});
  }
  /// Adds the counters of a part; their names get the prefix "name.".
  template <class Part>
  void part(std::string_view name, Part& part) {
    const std::string outer = prefix_;
    prefix_ += std::string(name) + ".";
    part.declare(*this);
    prefix_ = outer;
  }

  const std::vector<Counter>& all() const { return counters_; }

 private:
  std::string prefix_;
  std::vector<Counter> counters_;
};

}  // namespace heddle
