// A layer of a network forward and its weights' correction, and a direct convolution layer with
// rectified outputs that share their inputs in registers.
extern "C" __global__ void layer_forward(const float* input, const float* weights,
                                         float* partial_sums, int hidden) {
  __shared__ float node[16];
  __shared__ float matrix[16][16];
  int ty = threadIdx.y, tx = threadIdx.x, block = blockIdx.x;
  int row = 16 * block + ty;
  if (tx == 0) node[ty] = input[row];
  __syncthreads();
  matrix[ty][tx] = weights[row * hidden + tx] * node[ty];
  __syncthreads();
  for (int power = 2; power <= 16; power *= 2) {
    if (ty % power == 0) matrix[ty][tx] += matrix[ty + power / 2][tx];
    __syncthreads();
  }
  if (tx == 0) partial_sums[block * hidden + ty] = matrix[0][ty];
}

extern "C" __global__ void adjust_weights(const float* delta, const float* layer, float* weights,
                                          float* old_changes, int hidden, float rate,
                                          float momentum) {
  int row = 16 * blockIdx.x + threadIdx.y, column = threadIdx.x, i = row * hidden + column;
  float change = rate * delta[column] * layer[row] + momentum * old_changes[i];
  weights[i] += change;
  old_changes[i] = change;
}

constexpr int kOutputs = 8;

extern "C" __global__ void convolution_layer(const float* __restrict__ input,
                                             const float* __restrict__ filters,
                                             const float* __restrict__ bias, float* output,
                                             int channels, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int out_width = width - 2, out_height = height - 2;
  if (x >= out_width || y >= out_height) return;
  float sum[kOutputs];
#pragma unroll
  for (int o = 0; o < kOutputs; ++o) sum[o] = bias[blockIdx.z * kOutputs + o];
  for (int c = 0; c < channels; ++c) {
    float window[3][3];
#pragma unroll
    for (int i = 0; i < 9; ++i)
      window[i / 3][i % 3] = input[(c * height + y + i / 3) * width + x + i % 3];
#pragma unroll
    for (int o = 0; o < kOutputs; ++o) {
      const float* filter = filters + ((blockIdx.z * kOutputs + o) * channels + c) * 9;
#pragma unroll
      for (int i = 0; i < 9; ++i) sum[o] = fmaf(window[i / 3][i % 3], filter[i], sum[o]);
    }
  }
#pragma unroll
  for (int o = 0; o < kOutputs; ++o)
    output[((blockIdx.z * kOutputs + o) * out_height + y) * out_width + x] = fmaxf(sum[o], 0.0f);
}
