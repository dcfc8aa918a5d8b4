// Matrix products of a warp: wmma on halves with sums in float, and mma from assembly with ldmatrix.
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

// One warp: D = A B + C for 16 x 16 matrices of halves, sums in float.
extern "C" __global__ void program(const __half* a, const __half* b, const float* c, float* d,
                                   float* d_mma) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fragment_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fragment_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
  wmma::load_matrix_sync(fragment_a, a, 16);
  wmma::load_matrix_sync(fragment_b, b, 16);
  wmma::load_matrix_sync(sums, c, 16, wmma::mem_row_major);
  wmma::mma_sync(sums, fragment_a, fragment_b, sums);
  for (int k = 0; k < sums.num_elements; ++k) sums.x[k] *= 2.0f;
  wmma::store_matrix_sync(d, sums, 16, wmma::mem_row_major);

  // The first 8 columns of A B over the first 8 of the inner dimension: m16n8k8.
  __shared__ __half tile[16][8];
  int lane = threadIdx.x;
  for (int k = lane; k < 128; k += 32) tile[k / 8][k % 8] = a[k / 8 * 16 + k % 8];
  __syncwarp();
  unsigned address = unsigned(__cvta_generic_to_shared(&tile[lane % 16][0]));
  unsigned a0, a1;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
               : "=r"(a0), "=r"(a1)
               : "r"(address));
  // B is stored by columns: two neighbouring rows of a column lie in one word.
  unsigned b0 = *reinterpret_cast<const unsigned*>(b + lane / 4 * 16 + lane % 4 * 2);
  float r[4] = {};
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, "
               "{%0, %1, %2, %3};"
               : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3])
               : "r"(a0), "r"(a1), "r"(b0));
  int row = lane / 4, column = lane % 4 * 2;
  d_mma[row * 8 + column] = r[0];
  d_mma[row * 8 + column + 1] = r[1];
  d_mma[(row + 8) * 8 + column] = r[2];
  d_mma[(row + 8) * 8 + column + 1] = r[3];
}
