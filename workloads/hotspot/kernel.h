#pragma once

// What the kernel and the host part share.

/// Threads along a side of a block, and so cells along a side of a tile in shared memory.
constexpr int kTile = 16;

/// The chip as a network of resistors and capacitors: a cell of silicon exchanges heat with its
/// four neighbours and with the air above.
struct Chip {
  int columns;
  int rows;
  float seconds_per_capacity;  ///< A time step over a cell's heat capacity: kelvin per watt.
  float conductance_x;         ///< Watts per kelvin, to the left and to the right.
  float conductance_y;         ///< Up and down.
  float conductance_z;         ///< To the air.
  float ambient;               ///< Degrees Celsius.
};
