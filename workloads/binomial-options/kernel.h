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
  /// By how much a time step moves the logarithm of the price of the share, up or down.
  float move;
  /// The chances of a move up and of one down, discounted by a step.
  float up;
  float down;
};

}  // namespace binomial_options
