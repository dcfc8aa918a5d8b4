// Reading through the texture unit: bicubic scaling of an image and a rotated copy with bilinear
// filtering, and marching through a volume.
extern "C" __global__ void rotate_image(cudaTextureObject_t image, float* output, int width,
                                        int height, float cosine, float sine) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x - width / 2.0f, v = y - height / 2.0f;
  output[y * width + x] = tex2D<float>(image, u * cosine - v * sine + width / 2.0f + 0.5f,
                                       v * cosine + u * sine + height / 2.0f + 0.5f);
}

extern "C" __global__ void bicubic(cudaTextureObject_t image, uchar4* output, int width,
                                   int height, float scale) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float x = px * scale, y = py * scale;
  float column = floorf(x), row = floorf(y), fx = x - column, fy = y - row;
  auto weights = [](float t, float* w) {
    w[0] = (1.0f - t) * (1.0f - t) * (1.0f - t) / 6.0f;
    w[1] = (3.0f * t * t * t - 6.0f * t * t + 4.0f) / 6.0f;
    w[2] = (-3.0f * t * t * t + 3.0f * t * t + 3.0f * t + 1.0f) / 6.0f;
    w[3] = t * t * t / 6.0f;
  };
  float wx[4], wy[4], sum = 0.0f;
  weights(fx, wx);
  weights(fy, wy);
#pragma unroll
  for (int j = 0; j < 4; ++j)
#pragma unroll
    for (int i = 0; i < 4; ++i)
      sum += wx[i] * wy[j] * tex2D<float>(image, column + i - 0.5f, row + j - 0.5f);
  unsigned char grey = (unsigned char)(__saturatef(sum) * 255.0f + 0.5f);
  output[py * width + px] = make_uchar4(grey, grey, grey, 255);
}

extern "C" __global__ void march_volume(cudaTextureObject_t volume, cudaTextureObject_t colours,
                                        float4* image, int width, int height, int steps,
                                        float density) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
  float u = (px + 0.5f) / width, v = (py + 0.5f) / height;
  for (int step = 0; step < steps && sum.w < 0.95f; ++step) {
    float sample = tex3D<float>(volume, u, v, (step + 0.5f) / steps);
    float4 colour = tex1D<float4>(colours, sample);
    float alpha = colour.w * density * (1.0f - sum.w);
    sum.x += colour.x * alpha;
    sum.y += colour.y * alpha;
    sum.z += colour.z * alpha;
    sum.w += alpha;
  }
  image[py * width + px] = sum;
}
