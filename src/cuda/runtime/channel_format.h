#pragma once

#include "cuda/runtime/abi.h"
#include "exec/texture/channel_format.h"

namespace heddle::cuda {

/// Converts a texel format to the simulator's type. Throws Failure for an invalid format.
exec::ChannelFormat format_of(const abi::ChannelFormat& format);

}  // namespace heddle::cuda
