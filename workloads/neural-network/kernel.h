#pragma once

// The network's shape and the order of its weights in memory.

namespace neural_network {

constexpr int kThreads = 256;

constexpr int kImageSide = 29;
constexpr int kImage = kImageSide * kImageSide;
/// Both convolutions: windows of 5 x 5 values, two values apart.
constexpr int kWindow = 5;
constexpr int kStride = 2;
constexpr int kTaps = kWindow * kWindow;

constexpr int kFirstMaps = 6;
constexpr int kFirstSide = 13;
constexpr int kFirstMap = kFirstSide * kFirstSide;
constexpr int kFirst = kFirstMaps * kFirstMap;
/// One map's weights: the bias, then the taps row by row.
constexpr int kFirstWeights = 1 + kTaps;

constexpr int kSecondMaps = 50;
constexpr int kSecondSide = 5;
constexpr int kSecondMap = kSecondSide * kSecondSide;
constexpr int kSecond = kSecondMaps * kSecondMap;
/// One map's weights: the bias, then the taps for each of the first maps.
constexpr int kSecondWeights = 1 + kFirstMaps * kTaps;

/// In the last two layers, the weights of all neurons for one input are side by side. Those of the
/// bias come first.
constexpr int kHidden = 100;
constexpr int kHiddenWeights = (1 + kSecond) * kHidden;
constexpr int kDigits = 10;
constexpr int kOutputWeights = (1 + kHidden) * kDigits;

/// The output of a neuron is kHeight * tanh(kSlope * sum) (LeCun, 1989), which maps 1 to 1 and -1
/// to -1.
constexpr float kHeight = 1.7159f;
constexpr float kSlope = 2.0f / 3.0f;

}  // namespace neural_network
