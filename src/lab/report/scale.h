#pragma once

namespace heddle::lab::report {

/// A linear map from values to positions in a picture.
class Scale {
 public:
  /// Maps the values from_low to from_high to the positions to_low to to_high. `from_low` and
  /// `from_high` must differ.
  Scale(double from_low, double from_high, double to_low, double to_high)
      : from_low_(from_low),
        to_low_(to_low),
        factor_((to_high - to_low) / (from_high - from_low)) {}

  double operator()(double value) const { return to_low_ + (value - from_low_) * factor_; }

 private:
  double from_low_;
  double to_low_;
  double factor_;
};

}  // namespace heddle::lab::report
