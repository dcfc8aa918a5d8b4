#pragma once

namespace heddle::silicon {

/// The frequency that the streaming multiprocessors run at just now, in Hz: cycles counted by one
/// thread over a twentieth of a second of the GPU's own timer.
double measure_clock_rate();

}  // namespace heddle::silicon
