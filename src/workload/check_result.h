#pragma once

// The result of comparing every value that the device computed with the host's reference.

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace heddle::workload {

/// The allowed error of a floating-point value: |got - want| <= absolute + relative * |want|.
struct Bound {
  double relative = 0;
  double absolute = 0;
  std::string reason;  ///< Where the bound comes from, for readers of reports.
};

/// A value that differs from the reference by more than is allowed.
struct Difference {
  std::string where;  ///< "prices[12]"
  std::string got;
  std::string want;
};

class CheckResult {
 public:
  /// Compares integers: every value must equal the reference. `what` names the values in messages.
  template <class T>
  void exact(std::string_view what, std::span<const T> got, std::span<const T> want) {
    static_assert(std::is_integral_v<T>);
    if (!check_count(what, got.size(), want.size())) return;
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

  /// Compares floating-point values: every value must be within the bound. A value must be NaN if
  /// and only if the reference is NaN, and must equal an infinite reference.
  template <class Got, class Want>
  void close(std::string_view what, const std::vector<Got>& got, const std::vector<Want>& want,
             const Bound& bound) {
    static_assert(std::is_floating_point_v<Got> && std::is_floating_point_v<Want>);
    begin_bound(what, bound);
    if (!check_count(what, got.size(), want.size())) return;
    for (std::size_t i = 0; i < got.size(); ++i) {
      compare_close(what, i, static_cast<double>(got[i]), static_cast<double>(want[i]), bound);
    }
  }

  /// Checks any other condition; `got` and `want` describe the actual and the expected value.
  void require(bool holds, std::string_view what, std::string got, std::string want);

  /// Whether there are values, and none of them differs.
  bool passed() const { return differing_count_ == 0 && compared_count_ > 0; }
  std::uint64_t compared_count() const { return compared_count_; }
  std::uint64_t differing_count() const { return differing_count_; }
  /// The first eight differences.
  const std::vector<Difference>& differences() const { return differences_; }

  /// A bound, and how close the values came to it.
  struct UsedBound {
    std::string what;  ///< The values' name.
    Bound bound;
    double used_fraction = 0;  ///< The largest error, divided by the bound; 1 still passes.
  };
  const std::vector<UsedBound>& bounds() const { return bounds_; }

 private:
  /// Adds a difference and returns false unless the numbers of values are equal.
  bool check_count(std::string_view what, std::size_t got, std::size_t want);
  void begin_bound(std::string_view what, const Bound& bound);
  void compare_close(std::string_view what, std::size_t index, double got, double want,
                     const Bound& bound);
  void differ(std::string_view what, std::size_t index, std::string got, std::string want);

  std::uint64_t compared_count_ = 0;
  std::uint64_t differing_count_ = 0;
  std::vector<Difference> differences_;
  std::vector<UsedBound> bounds_;
};

}  // namespace heddle::workload
