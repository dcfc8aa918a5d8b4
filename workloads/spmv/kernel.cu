// The product of a sparse matrix and a vector, the matrix stored row after row (CSR): each row's
// entries are those from row_begin[row] to row_begin[row + 1].

// One thread a row. Neighbouring threads read places that are a row's length apart, each its own
// line; the next entries of the row are in that line, if the cache still holds it by then.
extern "C" __global__ void multiply_rows(const int* row_begin, const int* columns,
                                         const float* values, const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int end = row_begin[row + 1];
  float sum = 0.0f;
  // Rows are too short for copies of the loop's body, each with registers of its own.
#pragma unroll 1
  for (int entry = row_begin[row]; entry < end; ++entry) sum += values[entry] * x[columns[entry]];
  y[row] = sum;
}
