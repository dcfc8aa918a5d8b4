#pragma once

// Whether what the device computed is right: every value compared with the host's own.

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle::workload {

/// How far a floating-point value may be from the reference: |got - want| <= absolute + relative *
/// |want|. `reason` says, for people, where that comes from.
struct Bound {
  double relative = 0;
  double absolute = 0;
  std::string reason;
};

struct Difference {
  std::string where;  ///< "prices[12]"
  std::string got;
  std::string want;
};

class Verdict {
 public:
  /// Integers: every value as the reference has it.
  template <class T>
  void exact(std::string_view what, std::span<const T> got, std::span<const T> want) {
    static_assert(std::is_integral_v<T>);
    if (!same_count(what, got.size(), want.size())) return;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] != want[i]) differ(what, i, std::to_string(got[i]), std::to_string(want[i]));
    }
  }
  template <class T>
  void exact(std::string_view what, const std::vector<T>& got, const std::vector<T>& want) {
    exact(what, std::span<const T>(got), std::span<const T>(want));
  }
  template <class T>
  void exact(std::string_view what, const T& got, const T& want) requires std::is_integral_v<T> {
    exact(what, std::span<const T>(&got, 1), std::span<const T>(&want, 1));
  }

  /// Floating point: every value within the bound; a NaN only where the reference has one.
  template <class Got, class Want>
  void close(std::string_view what, const std::vector<Got>& got, const std::vector<Want>& want,
             const Bound& bound) {
    static_assert(std::is_floating_point_v<Got> && std::is_floating_point_v<Want>);
    begin_bound(what, bound);
    if (!same_count(what, got.size(), want.size())) return;
    for (std::size_t i = 0; i < got.size(); ++i) {
      compare_close(what, i, static_cast<double>(got[i]), static_cast<double>(want[i]), bound);
    }
  }

  /// Anything else that must hold; `got` and `want` say what was seen and what should be.
  void require(bool holds, std::string_view what, std::string got, std::string want);

  bool passed() const { return differing_ == 0 && compared_ > 0; }
  std::uint64_t compared() const { return compared_; }
  std::uint64_t differing() const { return differing_; }
  /// The first few.
  const std::vector<Difference>& differences() const { return differences_; }

  /// What was allowed, and the most of it that was used: 1 is just within.
  struct UsedBound {
    std::string what;
    Bound bound;
    double used = 0;
  };
  const std::vector<UsedBound>& bounds() const { return bounds_; }

 private:
  bool same_count(std::string_view what, std::size_t got, std::size_t want);
  void begin_bound(std::string_view what, const Bound& bound);
  void compare_close(std::string_view what, std::size_t index, double got, double want,
                     const Bound& bound);
  void differ(std::string_view what, std::size_t index, std::string got, std::string want);

  std::uint64_t compared_ = 0;
  std::uint64_t differing_ = 0;
  std::vector<Difference> differences_;
  std::vector<UsedBound> bounds_;
};

}  // namespace heddle::workload
