#include "repulsion_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace heddle::workload::rpes {
namespace {

using ::rpes::kPrimitives;
using ::rpes::Shell;

using Point = std::array<double, 3>;

/// One of the nine Gaussian functions of the product of two shells.
struct Gaussian {
  double exponent;
  Point middle;
  double size;   ///< At the middle.
  double decay;  ///< -log of the factor by which overlap reduces the size.
};

std::vector<Gaussian> product(const Shell& a, const Shell& b) {
  std::vector<Gaussian> product;
  const Point from{a.x, a.y, a.z}, to{b.x, b.y, b.z};
  for (int i = 0; i < kPrimitives; ++i) {
    for (int j = 0; j < kPrimitives; ++j) {
      const double of_a = a.exponents[i], of_b = b.exponents[j], exponent = of_a + of_b;
      Gaussian gaussian{.exponent = exponent, .middle = {}, .size = 0, .decay = 0};
      for (std::size_t axis = 0; axis < from.size(); ++axis) {
        const double along = to.at(axis) - from.at(axis);
        gaussian.middle.at(axis) = from.at(axis) + along * of_b / exponent;
        gaussian.decay += along * along * of_a * of_b / exponent;
      }
      gaussian.size = static_cast<double>(a.coefficients[i]) *
                      static_cast<double>(b.coefficients[j]) * std::exp(-gaussian.decay);
      product.push_back(gaussian);
    }
  }
  return product;
}

/// Boys' function F0 by the error function, and its negative derivative F1.
struct Boys {
  double value, slope;
};
Boys boys(double t) {
  if (t < 1e-4) return {1 - t / 3, 1 / 3.0};
  const double value = std::sqrt(std::numbers::pi / t) / 2 * std::erf(std::sqrt(t));
  return {value, (value - std::exp(-t)) / (2 * t)};
}

/// The integral between two charge clouds. The error bound, in roundings relative to the value:
/// sizes, exponents and the sum have 30, the decays ten times their size, Boys' polynomials ten. A
/// middle is off by three roundings of the molecule's extent, so the distance of two middles is off
/// by twelve of them.
Estimate integral_between(const Gaussian& p, const Gaussian& q, double extent) {
  const double both = p.exponent + q.exponent, product = p.exponent * q.exponent;
  const double factor =
      2 * std::pow(std::numbers::pi, 2.5) * p.size * q.size / (product * std::sqrt(both));
  double apart = 0;
  for (std::size_t axis = 0; axis < p.middle.size(); ++axis) {
    const double along = p.middle.at(axis) - q.middle.at(axis);
    apart += along * along;
  }
  const double t = product / both * apart;
  const double t_error = 10 * t + 24 * extent * std::sqrt(t * product / both);
  const Boys weight = boys(t);
  const double value = factor * weight.value;
  const double error = value * (40 + 10 * (p.decay + q.decay)) + factor * weight.slope * t_error;
  // The kernel may have left out terms that are barely more than negligible; all of their value
  // counts as error.
  const auto negligible = static_cast<double>(::rpes::kNegligible);
  if (factor < 0.999 * negligible) return {};
  return {value, error + (factor < 1.001 * negligible ? value / 0x1p-24 : 0)};
}

}  // namespace

Estimate repulsion(const Shell& a, const Shell& b, const Shell& c, const Shell& d) {
  double extent = 0;
  for (const Shell& shell : {a, b, c, d}) {
    for (const float coordinate : {shell.x, shell.y, shell.z}) {
      extent = std::max(extent, std::abs(static_cast<double>(coordinate)));
    }
  }
  const std::vector<Gaussian> electron = product(a, b), other = product(c, d);
  Estimate sum;
  for (const Gaussian& p : electron) {
    for (const Gaussian& q : other) {
      const Estimate term = integral_between(p, q, extent);
      sum.value += term.value;
      sum.error += term.error;
    }
  }
  return sum;
}

}  // namespace heddle::workload::rpes
