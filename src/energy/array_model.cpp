#include "energy/array_model.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace heddle::energy {
namespace {

// Reference values. The fitted constant factor is the energy of an array with these values, 1 KB
// and one port.
constexpr double kWidthBits = 128;
constexpr double kNodeNm = 40;
constexpr double kVolts = 0.9;

/// Scales energies from the reference node and voltage to those of the array.
double node_factor(const ArrayShape& shape) {
  const double node = shape.node_nm / kNodeNm;
  const double volts = shape.volts / kVolts;
  return node * node * volts * volts;
}

/// A bank of Gebhart, Table 4.7: SRAM, 16 bytes per access. We assume one read and one write port,
/// as in the bank of Table 4.5.
constexpr ArrayShape bank(double kilobytes) {
  return {.kilobytes = kilobytes, .width_bits = 128, .ports = 2, .node_nm = 32, .volts = 0.9};
}
/// An array of Gebhart, Table 4.5: flip-flops with 3 read ports and 1 write port. Each of 8 active
/// warps has `entries` registers of four lanes (128 bits).
constexpr ArrayShape flip_flops(double entries) {
  return {.kilobytes = entries * 8 * 128 / 8 / 1024,
          .width_bits = 128,
          .ports = 4,
          .node_nm = 40,
          .volts = 0.9};
}

constexpr std::string_view kBanks = "Gebhart, Table 4.7";
constexpr std::string_view kFlipFlops = "Gebhart, Table 4.5: ORF and RFC";
constexpr PublishedArray kArrays[] = {
    {bank(1), 3.2, 3.9, kBanks},
    {bank(2), 3.9, 5.1, kBanks},
    {bank(4), 5.1, 7.3, kBanks},
    {bank(8), 9.8, 11.8, kBanks},
    {bank(12), 11.0, 13.5, kBanks},
    {bank(16), 12.2, 15.2, kBanks},
    {{.kilobytes = 4, .width_bits = 128, .ports = 2, .node_nm = 40, .volts = 0.9},
     8,
     11,
     "Gebhart, Table 4.5: MRF"},
    {flip_flops(1), 0.7, 2.0, kFlipFlops},
    {flip_flops(2), 1.2, 3.8, kFlipFlops},
    {flip_flops(3), 1.2, 4.4, kFlipFlops},
    {flip_flops(4), 1.9, 6.1, kFlipFlops},
    {flip_flops(5), 2.0, 6.0, kFlipFlops},
    {flip_flops(6), 2.0, 6.7, kFlipFlops},
    {flip_flops(7), 2.4, 7.7, kFlipFlops},
    {flip_flops(8), 3.4, 10.9, kFlipFlops},
    {{.kilobytes = 0.5, .width_bits = 32, .ports = 2, .node_nm = 40, .volts = 0.9},
     0.176,
     0.162,
     "Xiang, Table 2: SRF"},
    {{.kilobytes = 64, .width_bits = 32, .ports = 2, .node_nm = 40, .volts = 0.9},
     2.46,
     5.82,
     "Xiang, Table 2: VRF"},
};

/// Solves a system of linear equations by Gaussian elimination. The last column is the right side.
template <std::size_t Count>
std::array<double, Count> solve(std::array<std::array<double, Count + 1>, Count> rows) {
  for (std::size_t i = 0; i < Count; ++i) {
    const auto largest = std::max_element(
        rows.begin() + static_cast<std::ptrdiff_t>(i), rows.end(),
        [i](const auto& a, const auto& b) { return std::abs(a[i]) < std::abs(b[i]); });
    std::swap(rows[i], *largest);
    for (std::size_t other = 0; other < Count; ++other) {
      if (other == i) continue;
      const double times = rows[other][i] / rows[i][i];
      for (std::size_t k = i; k <= Count; ++k) rows[other][k] -= times * rows[i][k];
    }
  }
  std::array<double, Count> solution{};
  for (std::size_t i = 0; i < Count; ++i) solution[i] = rows[i][Count] / rows[i][i];
  return solution;
}

}  // namespace

std::span<const PublishedArray> published_arrays() { return kArrays; }

ArrayModel::Terms ArrayModel::terms_of(const ArrayShape& shape) {
  return {1, std::log(shape.kilobytes), std::log(shape.width_bits / kWidthBits),
          std::log(shape.ports)};
}

double ArrayModel::energy(const Terms& powers, const ArrayShape& shape) {
  const Terms terms = terms_of(shape);
  double logarithm = 0;
  for (std::size_t i = 0; i < kTerms; ++i) logarithm += powers[i] * terms[i];
  return std::exp(logarithm) * node_factor(shape);
}

// Minimises the squared errors of logarithms, that is, of relative errors.
ArrayModel::Terms ArrayModel::fit(std::span<const PublishedArray> arrays,
                                  double PublishedArray::*access, const PublishedArray* left_out) {
  std::array<std::array<double, kTerms + 1>, kTerms> equations{};
  for (const PublishedArray& array : arrays) {
    if (&array == left_out) continue;
    const Terms terms = terms_of(array.shape);
    const double logarithm = std::log(array.*access / node_factor(array.shape));
    for (std::size_t i = 0; i < kTerms; ++i) {
      for (std::size_t k = 0; k < kTerms; ++k) equations[i][k] += terms[i] * terms[k];
      equations[i][kTerms] += terms[i] * logarithm;
    }
  }
  return solve(equations);
}

ArrayModel::ArrayModel(std::span<const PublishedArray> arrays, double PublishedArray::*access)
    : powers_(fit(arrays, access, nullptr)), min_(arrays[0].shape), max_(arrays[0].shape) {
  for (const PublishedArray& array : arrays) {
    const double estimate = energy(fit(arrays, access, &array), array.shape);
    error_ = std::max(error_, std::abs(estimate / array.*access - 1));
    min_.kilobytes = std::min(min_.kilobytes, array.shape.kilobytes);
    min_.width_bits = std::min(min_.width_bits, array.shape.width_bits);
    max_.kilobytes = std::max(max_.kilobytes, array.shape.kilobytes);
    max_.width_bits = std::max(max_.width_bits, array.shape.width_bits);
  }
}

double ArrayModel::picojoules(const ArrayShape& shape) const { return energy(powers_, shape); }

bool ArrayModel::covers(const ArrayShape& shape) const {
  return shape.kilobytes >= min_.kilobytes && shape.kilobytes <= max_.kilobytes &&
         shape.width_bits >= min_.width_bits && shape.width_bits <= max_.width_bits;
}

}  // namespace heddle::energy
