// Binomial option prices (a block an option, the lattice in shared memory), and forward rates of
// the LIBOR market model with their path in local memory.
extern "C" __global__ void binomial_option(const float* spot, const float* strike,
                                           const float* years, float riskless, float volatility,
                                           float* price) {
  constexpr int kSteps = 255;
  __shared__ float call[kSteps + 1];
  int i = threadIdx.x, option = blockIdx.x;
  float dt = years[option] / kSteps;
  float up_exponent = volatility * sqrtf(dt);
  float up = expf(up_exponent), down = 1.0f / up;
  float growth = expf(riskless * dt);
  float probability = (growth - down) / (up - down);
  float up_weight = probability / growth, down_weight = (1.0f - probability) / growth;
  call[i] = fmaxf(spot[option] * expf(up_exponent * (2.0f * i - kSteps)) - strike[option], 0.0f);
  __syncthreads();
  for (int step = kSteps; step > 0; --step) {
    float value = 0.0f;
    if (i < step) value = up_weight * call[i + 1] + down_weight * call[i];
    __syncthreads();
    if (i < step) call[i] = value;
    __syncthreads();
  }
  if (i == 0) price[option] = call[0];
}

constexpr int kForwards = 20, kMaturity = 10;
__constant__ float libor_volatility[kForwards];

extern "C" __global__ void libor_path(const float* normals, float* values, int paths, float delta,
                                      float start_rate) {
  int path = blockIdx.x * blockDim.x + threadIdx.x;
  if (path >= paths) return;
  float rate[kForwards];
  for (int i = 0; i < kForwards; ++i) rate[i] = start_rate;
  float root = sqrtf(delta);
  for (int step = 0; step < kMaturity; ++step) {
    float shock = root * normals[step * paths + path], drift = 0.0f;
    for (int i = step + 1; i < kForwards; ++i) {
      float volatility = libor_volatility[i - step - 1];
      float scaled = delta * volatility;
      drift += scaled * rate[i] / (1.0f + delta * rate[i]);
      rate[i] *= expf(scaled * (drift / delta - 0.5f * volatility) * delta / delta +
                      volatility * shock);
    }
  }
  float bond = 1.0f, value = 0.0f;
  for (int i = kMaturity; i < kForwards; ++i) {
    bond /= 1.0f + delta * rate[i];
    value += delta * bond * (0.05f - rate[i]);
  }
  values[path] = value > 0.0f ? 100.0f * value : 0.0f;
}
