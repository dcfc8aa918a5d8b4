// Most likely path of hidden states: one step of the recurrence a loop turn, back pointers kept.
extern "C" __global__ void viterbi(const float* transition, const float* emission,
                                   const int* observations, int length, int symbols,
                                   float* scores, unsigned char* back) {
  // A block decodes one sequence; blockDim.x is the number of states.
  extern __shared__ float previous[];
  int state = threadIdx.x, states = blockDim.x;
  observations += blockIdx.x * length;
  back += blockIdx.x * length * states;
  previous[state] = emission[state * symbols + observations[0]] - logf(float(states));
  __syncthreads();
  for (int t = 1; t < length; ++t) {
    float best = -INFINITY;
    int from = 0;
    for (int s = 0; s < states; ++s) {
      float score = previous[s] + transition[s * states + state];
      if (score > best) {
        best = score;
        from = s;
      }
    }
    __syncthreads();
    previous[state] = best + emission[state * symbols + observations[t]];
    back[t * states + state] = from;
    __syncthreads();
  }
  scores[blockIdx.x * states + state] = previous[state];
}
