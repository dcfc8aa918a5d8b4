// Decoding of convolutional codes by the Viterbi algorithm. The state of the encoder is the last
// four bits that went in, the newest lowest; every bit comes out as two, each of which was received
// as a number from -7 (surely 1) to 7 (surely 0). The decoder looks for the message whose encoding
// has the greatest scalar product with what was received.

#include "kernel.h"

namespace {

// Worse than any path from state 0 can become, far from overflow.
constexpr int kUnreachable = -(1 << 20);
constexpr short kUnreachableInShort = -(1 << 14);
static_assert(2 * 7 * kLongestFrame < 1 << 13, "Nor can it become reachable again.");

// 1 or -1: what the encoder sends of generator `generator` for a register with these five bits.
__device__ int sign_of_output(int generator, int window) {
  return __popc(generator & window) & 1 ? -1 : 1;
}

}  // namespace

// Forward through the trellis: 16 threads a frame, one a state. Bit t % 32 of
// decisions[t / 32][frame][state] says whether the best path into the state at step t comes from
// the predecessor with its oldest bit set.
extern "C" __global__ void viterbi_forward(const unsigned char* symbols, const Frame* frames,
                                           int count, unsigned* decisions, int* scores) {
  __shared__ unsigned char received[kFramesPerBlock][kLongestFrame];
  // In turns: what is so at one step, and at the next.
  __shared__ int metrics[2][kForwardThreads];

  const int state = threadIdx.x % kStates;
  const int slot = threadIdx.x / kStates;
  const int first_frame = blockIdx.x * kFramesPerBlock;
  const int frame = first_frame + slot;
  const int steps = frame < count ? frames[frame].steps : 0;

  // All threads come to all barriers, so all of them go as far as the block's longest frame.
  int longest = 0;
  for (int other = first_frame; other < min(first_frame + kFramesPerBlock, count); ++other) {
    longest = max(longest, frames[other].steps);
  }

  if (steps > 0) {
    const unsigned char* from = symbols + frames[frame].first_symbol;
    for (int i = state; i < steps; i += kStates) received[slot][i] = from[i];
  }
  metrics[0][threadIdx.x] = state == 0 ? 0 : kUnreachable;
  __syncthreads();

  // Both polynomials have D^4, so that the two ways into a state have opposite outputs: one branch
  // metric serves both.
  const int sign0 = sign_of_output(kGenerators[0], state);
  const int sign1 = sign_of_output(kGenerators[1], state);
  const int low = slot * kStates + (state >> 1);
  const int high = low + kStates / 2;
  unsigned chosen = 0;
  for (int step = 0; step < longest; ++step) {
    if (step < steps) {
      const int symbol = received[slot][step];
      const int branch = sign0 * ((symbol & 15) - 8) + sign1 * ((symbol >> 4) - 8);
      const int* now = metrics[step & 1];
      int best = now[low] + branch;
      const int other = now[high] - branch;
      if (other > best) {
        best = other;
        chosen |= 1u << (step & 31);
      }
      metrics[~step & 1][threadIdx.x] = best;
      if ((step & 31) == 31 || step + 1 == steps) {
        decisions[((step >> 5) * count + frame) * kStates + state] = chosen;
        chosen = 0;
      }
    }
    __syncthreads();
  }
  if (steps > 0 && state == 0) scores[frame] = metrics[steps & 1][threadIdx.x];
}

// Back along the best path, which ends in state 0: a thread a frame. messages[t / 32][frame] gets
// the bits of steps t, the first lowest.
extern "C" __global__ void viterbi_traceback(const unsigned* decisions, const Frame* frames,
                                             int count, unsigned* messages) {
  const int frame = blockIdx.x * blockDim.x + threadIdx.x;
  if (frame >= count) return;
  unsigned state = 0;
  unsigned message = 0;
  for (int step = frames[frame].steps - 1; step >= 0; --step) {
    const int word = (step >> 5) * count + frame;
    // The newest bit of the state is the one that went in at this step.
    message = message << 1 | (state & 1);
    const unsigned decision = decisions[word * kStates + state] >> (step & 31) & 1;
    state = state >> 1 | decision << 3;
    if ((step & 31) == 0) {
      messages[word] = message;
      message = 0;
    }
  }
}

// Both on a grid that is resident as a whole: a thread decodes frame after frame. It has the paths'
// metrics, two sets in turns, in memory of its own. Neighbouring threads have neighbouring frames:
// for each step `symbols` holds one of each frame, and `decisions` a bit for each state of each.
extern "C" __global__ void viterbi_resident(const unsigned char* symbols, const Frame* frames,
                                            int count, unsigned short* decisions, int* scores,
                                            unsigned* messages) {
  const int threads = gridDim.x * blockDim.x;
  for (int frame = blockIdx.x * blockDim.x + threadIdx.x; frame < count; frame += threads) {
    const int steps = frames[frame].steps;
    short metrics[2][kStates];
    metrics[0][0] = 0;
    for (int state = 1; state < kStates; ++state) metrics[0][state] = kUnreachableInShort;
    for (int step = 0; step < steps; ++step) {
      const int symbol = symbols[step * count + frame];
      const short* const now = metrics[step & 1];
      short* const next = metrics[~step & 1];
      unsigned chosen = 0;
      for (int state = 0; state < kStates; ++state) {
        const int branch = sign_of_output(kGenerators[0], state) * ((symbol & 15) - 8) +
                           sign_of_output(kGenerators[1], state) * ((symbol >> 4) - 8);
        int best = now[state >> 1] + branch;
        const int other = now[(state >> 1) + kStates / 2] - branch;
        if (other > best) {
          best = other;
          chosen |= 1u << state;
        }
        next[state] = best;
      }
      decisions[step * count + frame] = chosen;
    }
    scores[frame] = metrics[steps & 1][0];

    unsigned state = 0;
    unsigned message = 0;
    for (int step = steps - 1; step >= 0; --step) {
      message = message << 1 | (state & 1);
      const unsigned decision = decisions[step * count + frame] >> state & 1;
      state = state >> 1 | decision << 3;
      if ((step & 31) == 0) {
        messages[(step >> 5) * count + frame] = message;
        message = 0;
      }
    }
  }
}
