#pragma once

namespace heddle {

/// The name of the threads that Heddle starts. In the process of a CUDA program, it distinguishes
/// them from the program's threads.
inline constexpr char kOwnThreadName[] = "heddle-sim";

/// Gives the calling thread this name.
void name_own_thread();

}  // namespace heddle
