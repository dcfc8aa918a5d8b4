#pragma once

#include <vector>

#include "cuda/runtime/session.h"

namespace heddle::cuda::driver {

/// The addresses of a launch's arguments. A program passes the arguments by `pointers`, or in one
/// buffer by the list `extra`; the other one is null. Throws Failure if an argument is missing.
std::vector<void*> arguments_of(Session& session, const Function& function, void** pointers,
                                void** extra);

}  // namespace heddle::cuda::driver
