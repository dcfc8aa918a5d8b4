// Speckle-reducing anisotropic diffusion: the coefficient pass and the update pass.
extern "C" __global__ void srad_coefficient(const float* image, float* north, float* south,
                                            float* west, float* east, float* coefficient, int rows,
                                            int columns, float q0_squared) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  int row = i / columns, column = i % columns;
  float here = image[i];
  float n = image[max(row - 1, 0) * columns + column] - here;
  float s = image[min(row + 1, rows - 1) * columns + column] - here;
  float w = image[row * columns + max(column - 1, 0)] - here;
  float e = image[row * columns + min(column + 1, columns - 1)] - here;
  float gradient = (n * n + s * s + w * w + e * e) / (here * here);
  float laplacian = (n + s + w + e) / here;
  float numerator = 0.5f * gradient - 0.0625f * laplacian * laplacian;
  float denominator = 1.0f + 0.25f * laplacian;
  float q_squared = numerator / (denominator * denominator);
  float diffusion = (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared));
  coefficient[i] = __saturatef(1.0f / (1.0f + diffusion));
  north[i] = n;
  south[i] = s;
  west[i] = w;
  east[i] = e;
}

extern "C" __global__ void srad_update(float* image, const float* north, const float* south,
                                       const float* west, const float* east,
                                       const float* coefficient, int rows, int columns,
                                       float lambda) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  int row = i / columns, column = i % columns;
  float here = coefficient[i];
  float below = coefficient[min(row + 1, rows - 1) * columns + column];
  float right = coefficient[row * columns + min(column + 1, columns - 1)];
  float divergence = here * north[i] + below * south[i] + here * west[i] + right * east[i];
  image[i] += 0.25f * lambda * divergence;
}
