#pragma once

#include "cuda/driver/abi.h"

namespace heddle::cuda::driver {

/// The runtime's description of the driver's texel format. Throws Failure for an invalid format.
abi::ChannelFormat format_of(abi::ElementFormat format, std::uint32_t channels);

/// The driver's description of the runtime's texel format: the format of a channel, and the number
/// of channels. element_of() throws Failure for a format that the driver lacks.
abi::ElementFormat element_of(const abi::ChannelFormat& format);
std::uint32_t channels_of(const abi::ChannelFormat& format);

}  // namespace heddle::cuda::driver
