// The layers of a convolutional network, a kernel each. A thread is a neuron; the neurons of all
// images stand in one row, so that a block may end one image and begin the next.

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

extern "C" __global__ void first_maps(const float* images, const float* weights, float* maps,
                                      int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * kFirst) return;
  const int image = i / kFirst;
  const int map = i % kFirst / kFirstMap;

  const float* const window =
      images + image * kImage + window_of(i % kFirstMap, kFirstSide, kImageSide);
  const float* const own = weights + map * kFirstWeights;
  maps[i] = answer(add_window(own[0], window, kImageSide, own + 1));
}

extern "C" __global__ void second_maps(const float* first, const float* weights, float* maps,
                                       int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * kSecond) return;
  const int image = i / kSecond;
  const int map = i % kSecond / kSecondMap;

  const float* window = first + image * kFirst + window_of(i % kSecondMap, kSecondSide, kFirstSide);
  const float* own = weights + map * kSecondWeights;
  float sum = *own++;
  for (int from = 0; from < kFirstMaps; ++from) {
    sum = add_window(sum, window, kFirstSide, own);
    window += kFirstMap;
    own += kTaps;
  }
  maps[i] = answer(sum);
}

extern "C" __global__ void hidden_layer(const float* second, const float* weights, float* hidden,
                                        int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * kHidden) return;
  const float* const inputs = second + i / kHidden * kSecond;
  const float* own = weights + i % kHidden;

  float sum = *own;
#pragma unroll 10
  for (int input = 0; input < kSecond; ++input) {
    own += kHidden;
    sum += inputs[input] * *own;
  }
  hidden[i] = answer(sum);
}

extern "C" __global__ void output_layer(const float* hidden, const float* weights, float* outputs,
                                        int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count * kDigits) return;
  const float* const inputs = hidden + i / kDigits * kHidden;
  const float* own = weights + i % kDigits;

  float sum = *own;
#pragma unroll 10
  for (int input = 0; input < kHidden; ++input) {
    own += kDigits;
    sum += inputs[input] * *own;
  }
  outputs[i] = answer(sum);
}
