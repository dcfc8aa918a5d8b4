#pragma once

// What host and kernels agree on.

namespace backprop {

/// Units of the input layer for each block.
constexpr int kTile = 16;
/// Units of the hidden layer, without its bias: the width of a block.
constexpr int kHidden = 16;
/// Words from one row of weights to the next. Column 0 belongs to the hidden layer's bias, which
/// depends on no input, and is never changed.
constexpr int kPitch = kHidden + 1;
/// The share of a weight's previous change in its next change.
constexpr float kMomentum = 0.3f;

}  // namespace backprop
