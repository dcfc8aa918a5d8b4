#pragma once

// What an access takes of an array that no table has, by its capacity, the width of an access, its
// ports, and node and voltage: a product of powers, fitted to the arrays that the papers have
// figures of. Voltage goes by its square, as the charge of wires does, and so does the node: the
// dissertation's bank of 4 KB takes 8 pJ at 40 nm (Table 4.5) and 5.1 at 32 nm (Table 4.7), which
// is (40 / 32)^2 within half a per cent. The rest is whatever meets the points best; its error,
// with each point left out of the fit in turn, is stated with the value.

#include <array>
#include <span>
#include <string_view>

namespace heddle::energy {

struct ArrayShape {
  double kilobytes = 0;
  double width_bits = 0;  ///< Of an access.
  double ports = 1;
  double node_nm = 0;
  double volts = 0;
};

/// One that a paper has figures of, in picojoules.
struct PublishedArray {
  ArrayShape shape{};
  double reading = 0;
  double writing = 0;
  std::string_view source{};
};
std::span<const PublishedArray> published_arrays();

class ArrayModel {
 public:
  /// Of reading or writing, both members of PublishedArray. There must be enough to fit it to.
  ArrayModel(std::span<const PublishedArray> arrays, double PublishedArray::*access);

  double picojoules(const ArrayShape& shape) const;
  /// The largest relative error of an array that is left out of the fit.
  double error() const { return error_; }
  /// Whether its capacity and its width are among those that it was fitted to.
  bool covers(const ArrayShape& shape) const;

 private:
  /// Of a fixed part, the capacity, the width and the ports: powers of each.
  static constexpr std::size_t kTerms = 4;
  using Terms = std::array<double, kTerms>;

  static Terms terms_of(const ArrayShape& shape);
  static Terms fit(std::span<const PublishedArray> arrays, double PublishedArray::*access,
                   const PublishedArray* left_out);
  static double value(const Terms& powers, const ArrayShape& shape);

  Terms powers_{};
  double error_ = 0;
  ArrayShape least_{};  ///< Capacity and width alone.
  ArrayShape most_{};
};

}  // namespace heddle::energy
