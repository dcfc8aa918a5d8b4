#pragma once

#include "cuda/runtime/abi.h"
#include "exec/texture/channel_format.h"

namespace heddle::cuda {

/// Throws Failure for a format that there is not.
exec::ChannelFormat format_of(const abi::ChannelFormat& format);

}  // namespace heddle::cuda
