#pragma once

// Numbers with an error bound for single precision: running error analysis (Higham, Accuracy and
// Stability of Numerical Algorithms, 3.3).

#include <cmath>

namespace heddle::workload::myocyte {

struct Rounded {
  static constexpr double kUnit = 0x1p-24;

  double value = 0;
  double error = 0;  ///< The bound of the error.

  /// A number without error: an input of the device.
  static constexpr Rounded exact(double value) { return {value, 0}; }
  constexpr Rounded() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a constant, written out and rounded.
  constexpr Rounded(double constant)
      : value(constant), error(kUnit * (constant < 0 ? -constant : constant)) {}
  constexpr Rounded(double value_in, double error_in) : value(value_in), error(error_in) {}
};

/// The result of an operation, which adds `units` roundings.
inline Rounded after(double value, double error, double units = 1) {
  return {value, error + units * Rounded::kUnit * (std::abs(value) + error)};
}

inline Rounded operator+(Rounded a, Rounded b) {
  return after(a.value + b.value, a.error + b.error);
}
inline Rounded operator-(Rounded a, Rounded b) {
  return after(a.value - b.value, a.error + b.error);
}
inline Rounded operator-(Rounded a) { return {-a.value, a.error}; }
inline Rounded operator*(Rounded a, Rounded b) {
  return after(a.value * b.value,
               std::abs(a.value) * b.error + std::abs(b.value) * a.error + a.error * b.error);
}
inline Rounded operator/(Rounded a, Rounded b) {
  const double quotient = a.value / b.value;
  return after(quotient, (a.error + std::abs(quotient) * b.error) / (std::abs(b.value) - b.error));
}
inline Rounded square(Rounded a) { return a * a; }

// CUDA's bounds: 2 ulp for expf, 1 for expm1f and logf; an ulp is up to two units.
inline Rounded exp(Rounded a) {
  const double power = std::exp(a.value);
  return after(power, power * std::expm1(a.error), 4);
}
inline Rounded expm1(Rounded a) {
  return after(std::expm1(a.value), std::exp(a.value) * std::expm1(a.error), 2);
}
inline Rounded log(Rounded a) {
  return after(std::log(a.value), -std::log1p(-a.error / a.value), 2);
}
inline Rounded sqrt(Rounded a) {
  const double root = std::sqrt(a.value);
  return after(root, a.error / root);
}

}  // namespace heddle::workload::myocyte
