#pragma once

// Estimates the access energy of an array that no table lists, from its capacity, access width,
// ports, node and voltage. The model is a product of powers, fitted to the arrays whose energy the
// papers state. Energy scales with the square of the voltage, as the energy of wires does. It also
// scales with the square of the node: the 4 KB bank in Gebhart's dissertation takes 8 pJ at 40 nm
// (Table 4.5) and 5.1 pJ at 32 nm (Table 4.7), which is (40 / 32)^2 within half a per cent. The
// other exponents are fitted. Each array is left out of the fit in turn, and the largest error for
// the array left out is stated with the value.

#include <array>
#include <span>
#include <string_view>

namespace heddle::energy {

struct ArrayShape {
  double kilobytes = 0;
  double width_bits = 0;  ///< Width of an access.
  double ports = 1;
  double node_nm = 0;
  double volts = 0;
};

/// An array whose access energies a paper states, in picojoules.
struct PublishedArray {
  ArrayShape shape{};
  double reading = 0;
  double writing = 0;
  std::string_view source{};
};
std::span<const PublishedArray> published_arrays();

class ArrayModel {
 public:
  /// `access` selects reading or writing, both members of PublishedArray. There must be at least
  /// kTerms independent arrays.
  ArrayModel(std::span<const PublishedArray> arrays, double PublishedArray::*access);

  double picojoules(const ArrayShape& shape) const;
  /// The largest relative error for an array that was left out of the fit.
  double error() const { return error_; }
  /// Whether capacity and width are within the range of the fitted arrays.
  bool covers(const ArrayShape& shape) const;

 private:
  /// The constant factor and the exponents of capacity, width and ports.
  static constexpr std::size_t kTerms = 4;
  using Terms = std::array<double, kTerms>;

  static Terms terms_of(const ArrayShape& shape);
  static Terms fit(std::span<const PublishedArray> arrays, double PublishedArray::*access,
                   const PublishedArray* left_out);
  static double value(const Terms& powers, const ArrayShape& shape);

  Terms powers_{};
  double error_ = 0;
  // The range of the fitted arrays; only capacity and width are used.
  ArrayShape min_{};
  ArrayShape max_{};
};

}  // namespace heddle::energy
