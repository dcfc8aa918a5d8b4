// DXT1 (BC1) compression: a block of 64 threads makes 8 bytes of one tile of 4x4 pixels.
//
// The tile's colours are put in order along their principal axis and cut into four clusters in all
// 969 ways. Of each way the endpoints of the line of colours that fits best are found, rounded to
// 5:6:5 bits, and judged by the squared error that remains.

#include "kernel.h"

// A colour less the tile's mean. Sixteenths of a level: exact, as are their weighted sums.
struct __align__(16) Colour {
  float red, green, blue, unused;
};

struct Fit {
  float error;  // nine times the tile's squared error, less what no choice can change
  int partition;
  unsigned ends;  // two colours of 5:6:5 bits
};

__device__ int bits_of(int value) { return 32 - __clz(value); }

__device__ int largest_of(const int* v) { return max(abs(v[0]), max(abs(v[1]), abs(v[2]))); }

// Takes down all to where the largest has kAxisBits.
__device__ void limit(int* v, int count, int largest) {
  const int shift = max(bits_of(largest) - kAxisBits, 0);
  for (int i = 0; i < count; ++i) v[i] >>= shift;
}

// Power iteration, in integers: then no rounding can change the order along the axis. `moments`:
// sums of the products of channels, of which the fourth is 1.
__device__ void principal_axis(const int* moments, int* axis) {
  int covariance[9];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      covariance[3 * i + j] =
          kPixels * moments[4 * i + j] - moments[4 * i + 3] * moments[4 * j + 3];
    }
  }
  const int red = covariance[0], green = covariance[4], blue = covariance[8];
  limit(covariance, 9, max(red, max(green, blue)));
  // From the channel that varies most.
  const int from = red >= green && red >= blue ? 0 : green >= blue ? 1 : 2;
  for (int i = 0; i < 3; ++i) axis[i] = from == 0   ? covariance[i]
                                        : from == 1 ? covariance[3 + i]
                                                    : covariance[6 + i];
  for (int step = 0; step < kPowerSteps; ++step) {
    int next[3];
    for (int i = 0; i < 3; ++i) {
      next[i] = covariance[3 * i] * axis[0] + covariance[3 * i + 1] * axis[1] +
                covariance[3 * i + 2] * axis[2];
    }
    limit(next, 3, largest_of(next));
    for (int i = 0; i < 3; ++i) axis[i] = next[i];
  }
}

// The nearest of 2^bits levels, and in `offset` what it decodes to, less the mean.
__device__ unsigned quantise(float level, float mean, int bits, float* offset) {
  const float scale = static_cast<float>((1 << bits) - 1) / 255.0f;
  const float clamped = fminf(fmaxf(level, 0.0f), 255.0f);
  const unsigned code = static_cast<unsigned>(clamped * scale + 0.5f);
  const unsigned decoded = code << (8 - bits) | code >> (2 * bits - 8);
  *offset = static_cast<float>(decoded) - mean;
  return code;
}

// What endpoints a and b cost in one channel; see try_partition() for the sums.
__device__ float cost(float a, float b, float aa, float bb, float ab, float ax) {
  return a * (a * aa + 2.0f * (b * ab - 3.0f * ax)) + b * (b * bb + 6.0f * ax);
}

// A colour of cluster k is to become ((3 - k) a + k b) / 3. With weights of thirds in integers, and
// colours that add up to nothing, the normal equations need but three sums over the colours.
__device__ void try_partition(unsigned clusters, const Colour* colours, const Colour& mean,
                              float* error, unsigned* ends) {
  float weight_sum = 0, aa = 0, red = 0, green = 0, blue = 0;
#pragma unroll
  for (int i = 0; i < kPixels; ++i) {
    const float weight = static_cast<float>(3 - (clusters >> 2 * i & 3));
    const Colour colour = colours[i];
    weight_sum += weight;
    aa += weight * weight;
    red += weight * colour.red;
    green += weight * colour.green;
    blue += weight * colour.blue;
  }
  const float ab = 3.0f * weight_sum - aa;
  const float bb = 9.0f * kPixels - 6.0f * weight_sum + aa;
  const float determinant = aa * bb - ab * ab;
  // All in one cluster: both ends are the mean.
  const float inverse = determinant > 0 ? 1.0f / determinant : 0.0f;
  const float to_a = 3.0f * (bb + ab), to_b = -3.0f * (aa + ab);

  float a_red, a_green, a_blue, b_red, b_green, b_blue;
  const unsigned a = quantise(mean.red + red * to_a * inverse, mean.red, 5, &a_red) << 11 |
                     quantise(mean.green + green * to_a * inverse, mean.green, 6, &a_green) << 5 |
                     quantise(mean.blue + blue * to_a * inverse, mean.blue, 5, &a_blue);
  const unsigned b = quantise(mean.red + red * to_b * inverse, mean.red, 5, &b_red) << 11 |
                     quantise(mean.green + green * to_b * inverse, mean.green, 6, &b_green) << 5 |
                     quantise(mean.blue + blue * to_b * inverse, mean.blue, 5, &b_blue);
  *error = cost(a_red, b_red, aa, bb, ab, red) + cost(a_green, b_green, aa, bb, ab, green) +
           cost(a_blue, b_blue, aa, bb, ab, blue);
  *ends = a | b << 16;
}

// The format's eight bytes. Only where the first colour is the greater one are there four colours.
__device__ uint2 encode(const Fit& fit, unsigned clusters, const int* rank) {
  const unsigned a = fit.ends & 0xffff, b = fit.ends >> 16;
  if (a == b) return make_uint2(fit.ends, 0);
  unsigned indices = 0;
  for (int i = 0; i < kPixels; ++i) {
    const unsigned cluster = clusters >> 2 * rank[i] & 3;
    // Along the line the format counts 0, 2, 3, 1.
    const unsigned index = cluster == 0 ? 0 : cluster == 3 ? 1 : cluster + 1;
    indices |= index << 2 * i;
  }
  if (a > b) return make_uint2(fit.ends, indices);
  return make_uint2(b | a << 16, indices ^ 0x55555555u);
}

// `partitions`: two bits a colour, the first lowest: its cluster.
extern "C" __global__ void dxt_compress(const unsigned* image, int width, int height,
                                        const unsigned* partitions, uint2* blocks) {
  __shared__ int pixels[kPixels][4];
  __shared__ int moments[kPixels];
  __shared__ int along[kPixels];
  __shared__ int rank[kPixels];
  __shared__ Colour colours[kPixels];
  __shared__ Fit fits[kThreads];
  const int t = threadIdx.x;

  if (t < kPixels) {
    // Behind the picture's edges its last pixels go on.
    const int across = (width + kTile - 1) / kTile;
    const int x = min(static_cast<int>(blockIdx.x) % across * kTile + t % kTile, width - 1);
    const int y = min(static_cast<int>(blockIdx.x) / across * kTile + t / kTile, height - 1);
    const unsigned pixel = image[y * width + x];
    pixels[t][0] = pixel & 0xff;
    pixels[t][1] = pixel >> 8 & 0xff;
    pixels[t][2] = pixel >> 16 & 0xff;
    pixels[t][3] = 1;
  }
  __syncthreads();

  if (t < kPixels) {
    int sum = 0;
    for (int i = 0; i < kPixels; ++i) sum += pixels[i][t / 4] * pixels[i][t % 4];
    moments[t] = sum;
  }
  __syncthreads();

  if (t < kPixels) {
    int axis[3];
    principal_axis(moments, axis);
    along[t] = axis[0] * pixels[t][0] + axis[1] * pixels[t][1] + axis[2] * pixels[t][2];
  }
  __syncthreads();

  const Colour mean = {moments[3] / 16.0f, moments[7] / 16.0f, moments[11] / 16.0f, 0};
  if (t < kPixels) {
    int before = 0;
    for (int i = 0; i < kPixels; ++i) {
      before += along[i] < along[t] || (along[i] == along[t] && i < t);
    }
    rank[t] = before;
    colours[before] = {pixels[t][0] - mean.red, pixels[t][1] - mean.green,
                       pixels[t][2] - mean.blue, 0};
  }
  __syncthreads();

  Fit best = {3.4e38f, kPartitions, 0};
  for (int i = t; i < kPartitions; i += kThreads) {
    float error;
    unsigned ends;
    try_partition(partitions[i], colours, mean, &error, &ends);
    if (error < best.error) best = {error, i, ends};
  }
  fits[t] = best;
  __syncthreads();

  for (int reach = kThreads / 2; reach > 0; reach /= 2) {
    if (t < reach) {
      const Fit other = fits[t + reach];
      const bool better = other.error < fits[t].error ||
                          (other.error == fits[t].error && other.partition < fits[t].partition);
      if (better) fits[t] = other;
    }
    __syncthreads();
  }
  if (t == 0) blocks[blockIdx.x] = encode(fits[0], partitions[fits[0].partition], rank);
}
