#pragma once

#include "cuda/driver/abi.h"

namespace heddle::cuda::driver {

/// The runtime's description of the driver's texel format. Throws Failure for an invalid format.
abi::ChannelFormat format_of(abi::ElementFormat format, std::uint32_t channels);

/// The driver's description of the runtime's texel format.
abi::ElementFormat element_of(const abi::ChannelFormat& format);
std::uint32_t channels_of(const abi::ChannelFormat& format);

}  // namespace heddle::cuda::driver
