#pragma once

// Estimates the access energy of a memory array that no table lists, from its capacity, access
// width, number of ports, technology node and voltage. The model is a product of powers, fitted to
// the arrays whose energies papers state. Two exponents are fixed:
//
// - voltage: 2, as for the energy of wires;
// - node: 2. The 4 KB bank in Gebhart's dissertation takes 8 pJ per read at 40 nm (Table 4.5) and
//   5.1 pJ at 32 nm (Table 4.7). The quotient is (40 / 32)^2 within half a per cent.
//
// The other exponents are fitted. To estimate the error, each array is left out of the fit in turn
// and predicted from the others; error() is the largest error of these predictions.

#include <array>
#include <span>
#include <string_view>

namespace heddle::energy {

struct ArrayShape {
  double kilobytes = 0;
  double width_bits = 0;  ///< Width of an access.
  double ports = 1;       ///< Read and write ports together.
  double node_nm = 0;
  double volts = 0;
};

/// An array whose access energies a paper states.
struct PublishedArray {
  ArrayShape shape{};
  double read_picojoules = 0;
  double write_picojoules = 0;
  std::string_view source{};
};
std::span<const PublishedArray> published_arrays();

class ArrayModel {
 public:
  /// `access` is &PublishedArray::read_picojoules or &PublishedArray::write_picojoules. There must
  /// be at least kTerms arrays with linearly independent terms.
  ArrayModel(std::span<const PublishedArray> arrays, double PublishedArray::*access);

  /// The estimated energy of an access.
  double picojoules(const ArrayShape& shape) const;
  /// The largest relative error for an array that was left out of the fit; 0.1 is 10 %.
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
  static double energy(const Terms& powers, const ArrayShape& shape);

  Terms powers_{};
  double error_ = 0;
  // The range of the fitted arrays; only capacity and width are used.
  ArrayShape min_{};
  ArrayShape max_{};
};

}  // namespace heddle::energy
