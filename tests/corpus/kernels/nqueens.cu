// Counts solutions of the N-queens problem: each thread backtracks from a given placement of the
// first queens, with its stack in shared memory.
constexpr int kThreads = 96;
constexpr int kDepth = 10;

extern "C" __global__ void __launch_bounds__(kThreads)
    nqueens(int n, int placed, const unsigned* columns, const unsigned* left_diagonals,
            const unsigned* right_diagonals, int starts, unsigned* solutions) {
  __shared__ unsigned column_stack[kThreads][kDepth], left_stack[kThreads][kDepth],
      right_stack[kThreads][kDepth], choices[kThreads][kDepth];
  __shared__ unsigned total;
  int thread = threadIdx.x, index = blockIdx.x * kThreads + thread;
  if (thread == 0) total = 0;
  __syncthreads();
  if (index < starts) {
    unsigned mask = (1u << n) - 1, count = 0;
    int depth = 0, last = n - placed - 1;
    column_stack[thread][0] = columns[index];
    left_stack[thread][0] = left_diagonals[index];
    right_stack[thread][0] = right_diagonals[index];
    choices[thread][0] = ~(columns[index] | left_diagonals[index] | right_diagonals[index]) & mask;
    while (depth >= 0) {
      unsigned open = choices[thread][depth];
      if (open == 0) {
        --depth;
        continue;
      }
      unsigned queen = open & -open;
      choices[thread][depth] = open ^ queen;
      if (depth == last) {
        ++count;
        continue;
      }
      unsigned next_columns = column_stack[thread][depth] | queen;
      unsigned next_left = (left_stack[thread][depth] | queen) << 1;
      unsigned next_right = (right_stack[thread][depth] | queen) >> 1;
      ++depth;
      column_stack[thread][depth] = next_columns;
      left_stack[thread][depth] = next_left;
      right_stack[thread][depth] = next_right;
      choices[thread][depth] = ~(next_columns | next_left | next_right) & mask;
    }
    atomicAdd(&total, count);
  }
  __syncthreads();
  if (thread == 0) solutions[blockIdx.x] = total;
}
