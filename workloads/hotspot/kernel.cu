#include "kernel.h"

// Advances the temperatures by `steps` time steps. A block holds a tile of the chip in shared
// memory and needs no other block's results: with every step the cells whose neighbours are all
// known shrink by a ring, so that of a tile of 16 x 16 cells only the inner (16 - 2 steps) squared
// are written, and the tiles overlap. The rings computed twice cost less than going through global
// memory every step.
extern "C" __global__ void hotspot(const float* power, const float* before, float* after, Chip chip,
                                   int steps) {
  __shared__ float now[kTile][kTile];
  __shared__ float next[kTile][kTile];
  __shared__ float watts[kTile][kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int inner = kTile - 2 * steps;
  const int column = static_cast<int>(blockIdx.x) * inner - steps + tx;
  const int row = static_cast<int>(blockIdx.y) * inner - steps + ty;
  const int cell = row * chip.columns + column;
  const bool on_chip = column >= 0 && column < chip.columns && row >= 0 && row < chip.rows;
  if (on_chip) {
    now[ty][tx] = before[cell];
    watts[ty][tx] = power[cell];
  }
  __syncthreads();

  // No heat leaves through the chip's sides: a neighbour beyond them is as warm as the cell itself.
  const int west = column > 0 ? tx - 1 : tx;
  const int east = column < chip.columns - 1 ? tx + 1 : tx;
  const int north = row > 0 ? ty - 1 : ty;
  const int south = row < chip.rows - 1 ? ty + 1 : ty;

  bool known = on_chip;
  for (int ring = 1; ring <= steps; ++ring) {
    known = on_chip && tx >= ring && tx < kTile - ring && ty >= ring && ty < kTile - ring;
    if (known) {
      const float own = now[ty][tx];
      const float heating = watts[ty][tx] +
                            (now[ty][east] + now[ty][west] - 2.0f * own) * chip.conductance_x +
                            (now[south][tx] + now[north][tx] - 2.0f * own) * chip.conductance_y +
                            (chip.ambient - own) * chip.conductance_z;
      next[ty][tx] = own + chip.seconds_per_capacity * heating;
    }
    if (ring == steps) break;
    __syncthreads();  // All have read `now`.
    if (known) now[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (known) after[cell] = next[ty][tx];
}

// The same on a grid that is resident as a whole, each thread with one cell after the other and
// without tiles: the neighbours are read where the step before has left them. The two arrays take
// turns; after an odd number of steps the temperatures are in `after`. A step that follows another
// in the same launch sees its temperatures only if the grid is one block.
extern "C" __global__ void hotspot_resident(const float* power, float* before, float* after,
                                            Chip chip, int steps) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  const int cells = chip.columns * chip.rows;
  const int column_of_first = first % chip.columns;
  const int columns_further = threads % chip.columns;

  for (int step = 0; step < steps; ++step) {
    int column = column_of_first;
#pragma unroll 1
    for (int cell = first; cell < cells; cell += threads) {
      // No heat leaves through the chip's sides, as above.
      const int west = column > 0 ? cell - 1 : cell;
      const int east = column < chip.columns - 1 ? cell + 1 : cell;
      const int north = cell >= chip.columns ? cell - chip.columns : cell;
      const int south = cell < cells - chip.columns ? cell + chip.columns : cell;
      const float own = before[cell];
      const float heating = power[cell] +
                            (before[east] + before[west] - 2.0f * own) * chip.conductance_x +
                            (before[south] + before[north] - 2.0f * own) * chip.conductance_y +
                            (chip.ambient - own) * chip.conductance_z;
      after[cell] = own + chip.seconds_per_capacity * heating;
      column += columns_further;
      if (column >= chip.columns) column -= chip.columns;
    }
    __syncthreads();
    float* const written = after;
    after = before;
    before = written;
  }
}
