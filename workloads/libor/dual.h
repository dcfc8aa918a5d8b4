#pragma once

// Numbers with their derivative: forward differentiation.

#include <cmath>

namespace heddle::workload {

struct Dual {
  double value = 0;
  double slope = 0;
};

inline Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
inline Dual operator+(double a, Dual b) { return {a + b.value, b.slope}; }
inline Dual operator*(Dual a, Dual b) {
  return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
inline Dual operator*(double a, Dual b) { return {a * b.value, a * b.slope}; }
inline Dual operator/(Dual a, Dual b) {
  const double quotient = a.value / b.value;
  return {quotient, (a.slope - quotient * b.slope) / b.value};
}
inline Dual exp(Dual a) {
  const double power = std::exp(a.value);
  return {power, power * a.slope};
}

}  // namespace heddle::workload
