#pragma once

// What host and kernels agree on.

namespace backprop {

/// Units of the input layer that a block deals with.
constexpr int kTile = 16;
/// Units of the hidden layer, without its bias: the width of a block.
constexpr int kHidden = 16;
/// Words from one row of weights to the next. Column 0 would lead to the hidden layer's bias, which
/// depends on nothing, and is left as it is.
constexpr int kPitch = kHidden + 1;
/// How much of a weight's last change is in its next one.
constexpr float kMomentum = 0.3f;

}  // namespace backprop
