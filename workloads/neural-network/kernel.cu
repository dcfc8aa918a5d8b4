// The layers of a convolutional network, a kernel each. A block answers for one image: its threads
// take the layer's neurons in turn, and those that find none leave at once.

#include "kernel.h"

using namespace neural_network;

namespace {

__device__ float answer(float sum) { return kHeight * tanhf(kSlope * sum); }

// Adds one window of a map, `side` values wide, times its weights.
__device__ float add_window(float sum, const float* window, int side, const float* weights) {
#pragma unroll
  for (int row = 0; row < kWindow; ++row) {
#pragma unroll
    for (int column = 0; column < kWindow; ++column) {
      sum += window[row * side + column] * weights[row * kWindow + column];
    }
  }
  return sum;
}

// Where in a map of `side` values a row the window of a neuron begins.
__device__ int window_of(int neuron, int neurons_side, int side) {
  return neuron / neurons_side * kStride * side + neuron % neurons_side * kStride;
}

}  // namespace

extern "C" __global__ void first_maps(const float* images, const float* weights, float* maps) {
  const float* const image = images + blockIdx.x * kImage;
  float* const answers = maps + blockIdx.x * kFirst;
#pragma unroll 1
  for (int neuron = threadIdx.x; neuron < kFirst; neuron += kThreads) {
    const float* const own = weights + neuron / kFirstMap * kFirstWeights;
    const float* const window = image + window_of(neuron % kFirstMap, kFirstSide, kImageSide);
    answers[neuron] = answer(add_window(own[0], window, kImageSide, own + 1));
  }
}

extern "C" __global__ void second_maps(const float* first, const float* weights, float* maps) {
  const float* const inputs = first + blockIdx.x * kFirst;
  float* const answers = maps + blockIdx.x * kSecond;
#pragma unroll 1
  for (int neuron = threadIdx.x; neuron < kSecond; neuron += kThreads) {
    const float* own = weights + neuron / kSecondMap * kSecondWeights;
    const float* window = inputs + window_of(neuron % kSecondMap, kSecondSide, kFirstSide);
    float sum = *own++;
    for (int from = 0; from < kFirstMaps; ++from) {
      sum = add_window(sum, window, kFirstSide, own);
      window += kFirstMap;
      own += kTaps;
    }
    answers[neuron] = answer(sum);
  }
}

extern "C" __global__ void hidden_layer(const float* second, const float* weights, float* hidden) {
  const int neuron = threadIdx.x;
  if (neuron >= kHidden) return;
  const float* const inputs = second + blockIdx.x * kSecond;
  const float* own = weights + neuron;

  float sum = *own;
#pragma unroll 10
  for (int input = 0; input < kSecond; ++input) {
    own += kHidden;
    sum += inputs[input] * *own;
  }
  hidden[blockIdx.x * kHidden + neuron] = answer(sum);
}

extern "C" __global__ void output_layer(const float* hidden, const float* weights, float* outputs) {
  const int neuron = threadIdx.x;
  if (neuron >= kDigits) return;
  const float* const inputs = hidden + blockIdx.x * kHidden;
  const float* own = weights + neuron;

  float sum = *own;
#pragma unroll 10
  for (int input = 0; input < kHidden; ++input) {
    own += kDigits;
    sum += inputs[input] * *own;
  }
  outputs[blockIdx.x * kDigits + neuron] = answer(sum);
}
