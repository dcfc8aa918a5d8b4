#include "cuda/driver/formats.h"

#include <algorithm>
#include <iterator>

#include "cuda/runtime/error.h"

namespace heddle::cuda::driver {
namespace {

struct Known {
  abi::ElementFormat format;
  int bits;
  abi::ChannelKind kind;
};

constexpr Known kKnown[] = {
    {abi::ElementFormat::unsigned_8, 8, abi::ChannelKind::unsigned_integer},
    {abi::ElementFormat::unsigned_16, 16, abi::ChannelKind::unsigned_integer},
    {abi::ElementFormat::unsigned_32, 32, abi::ChannelKind::unsigned_integer},
    {abi::ElementFormat::signed_8, 8, abi::ChannelKind::signed_integer},
    {abi::ElementFormat::signed_16, 16, abi::ChannelKind::signed_integer},
    {abi::ElementFormat::signed_32, 32, abi::ChannelKind::signed_integer},
    {abi::ElementFormat::floating_16, 16, abi::ChannelKind::floating},
    {abi::ElementFormat::floating_32, 32, abi::ChannelKind::floating},
};

template <class Matches>
const Known& find(Matches matches) {
  const auto* const found = std::find_if(std::begin(kKnown), std::end(kKnown), matches);
  if (found == std::end(kKnown)) throw Failure{Error::invalid_value};
  return *found;
}

}  // namespace

abi::ChannelFormat format_of(abi::ElementFormat format, std::uint32_t channels) {
  const Known& known = find([&](const Known& one) { return one.format == format; });
  if (channels != 1 && channels != 2 && channels != 4) throw Failure{Error::invalid_value};
  abi::ChannelFormat result{.bits = {}, .kind = known.kind};
  std::fill_n(result.bits, channels, known.bits);
  return result;
}

abi::ElementFormat element_of(const abi::ChannelFormat& format) {
  return find([&](const Known& known) {
           return known.bits == format.bits[0] && known.kind == format.kind;
         })
      .format;
}

std::uint32_t channels_of(const abi::ChannelFormat& format) {
  return static_cast<std::uint32_t>(std::count_if(std::begin(format.bits), std::end(format.bits),
                                                  [](int bits) { return bits != 0; }));
}

}  // namespace heddle::cuda::driver
