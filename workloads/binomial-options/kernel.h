#pragma once

// What the host part and the kernel of binomial-options share.

namespace binomial_options {

constexpr int kThreads = 256;
/// Time steps that a tile goes back before its nodes are stored again.
constexpr int kDepth = 32;
constexpr int kMostOptions = 256;

struct Option {
  float spot;
  float strike;
  /// A time step moves the logarithm of the share's price up or down by this.
  float move;
  /// The probabilities of a move up and of a move down, discounted by a step.
  float up;
  float down;
};

}  // namespace binomial_options
