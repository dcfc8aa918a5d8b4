#include "cuda/runtime/channel_format.h"

#include "base/error.h"
#include "cuda/runtime/error.h"

namespace heddle::cuda {
namespace {

exec::ChannelKind kind_of(abi::ChannelKind kind) {
  switch (kind) {
    case abi::ChannelKind::signed_integer:
      return exec::ChannelKind::signed_integer;
    case abi::ChannelKind::unsigned_integer:
      return exec::ChannelKind::unsigned_integer;
    case abi::ChannelKind::floating:
      return exec::ChannelKind::floating;
    case abi::ChannelKind::none:
      break;
  }
  throw Failure{Error::invalid_channel_format};
}

}  // namespace

exec::ChannelFormat format_of(const abi::ChannelFormat& format) {
  // The channels with bits must come first and have equal sizes.
  int channels = 0;
  while (channels < 4 && format.bits[channels] != 0) ++channels;
  for (int i = 0; i < 4; ++i) {
    const int expected = i < channels ? format.bits[0] : 0;
    if (format.bits[i] != expected) throw Failure{Error::invalid_channel_format};
  }
  if (format.bits[0] < 0 || format.bits[0] > 32) throw Failure{Error::invalid_channel_format};
  const exec::ChannelFormat result{.kind = kind_of(format.kind),
                                   .bits = static_cast<std::uint8_t>(format.bits[0]),
                                   .channels = static_cast<std::uint8_t>(channels)};
  try {
    result.check();
  } catch (const InputError&) {
    throw Failure{Error::invalid_channel_format};
  }
  return result;
}

}  // namespace heddle::cuda
