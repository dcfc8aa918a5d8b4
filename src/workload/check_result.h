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
/// `reason` tells readers where the bound comes from.
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

class CheckResult {
 public:
  /// Integers: every value must equal the reference.
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

  /// Floating point: every value must be within the bound, and must be NaN exactly where the
  /// reference is NaN.
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

  /// Any other condition; `got` and `want` describe the actual and the expected value.
  void require(bool holds, std::string_view what, std::string got, std::string want);

  bool passed() const { return differing_ == 0 && compared_ > 0; }
  std::uint64_t compared() const { return compared_; }
  std::uint64_t differing() const { return differing_; }
  /// The first few differences.
  const std::vector<Difference>& differences() const { return differences_; }

  /// A bound, and the largest error as a fraction of the bound; a fraction of 1 still passes.
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
