#pragma once

namespace heddle::silicon {

/// The current frequency of the streaming multiprocessors in Hz. One thread counts cycles for a
/// twentieth of a second of the GPU's timer.
double measure_clock_rate();

}  // namespace heddle::silicon
