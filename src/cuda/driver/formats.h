#pragma once

#include "cuda/driver/abi.h"

namespace heddle::cuda::driver {

/// The runtime's name for an array's or a texture's texels. Throws Failure for a format that there
/// is not.
abi::ChannelFormat format_of(abi::ElementFormat format, std::uint32_t channels);

/// And back.
abi::ElementFormat element_of(const abi::ChannelFormat& format);
std::uint32_t channels_of(const abi::ChannelFormat& format);

}  // namespace heddle::cuda::driver
