#include "cuda/driver/formats.h"

#include <algorithm>
#include <iterator>

#include "cuda/runtime/error.h"

namespace heddle::cuda::driver {
namespace {

/// The description of a format in the driver API (`format`), and in the runtime API.
struct FormatPair {
  abi::ElementFormat format;
  int bits;
  abi::ChannelKind kind;
};

constexpr FormatPair kFormats[] = {
    {abi::ElementFormat::unsigned_8, 8, abi::ChannelKind::unsigned_integer},
    {abi::ElementFormat::unsigned_16, 16, abi::ChannelKind::unsigned_integer},
    {abi::ElementFormat::unsigned_32, 32, abi::ChannelKind::unsigned_integer},
    {abi::ElementFormat::signed_8, 8, abi::ChannelKind::signed_integer},
    {abi::ElementFormat::signed_16, 16, abi::ChannelKind::signed_integer},
    {abi::ElementFormat::signed_32, 32, abi::ChannelKind::signed_integer},
    {abi::ElementFormat::floating_16, 16, abi::ChannelKind::floating},
    {abi::ElementFormat::floating_32, 32, abi::ChannelKind::floating},
};

/// The pair that matches. Throws Failure if there is none.
template <class Matches>
const FormatPair& find(Matches matches) {
  const auto* const found = std::find_if(std::begin(kFormats), std::end(kFormats), matches);
  if (found == std::end(kFormats)) throw Failure{Error::invalid_value};
  return *found;
}

}  // namespace

abi::ChannelFormat format_of(abi::ElementFormat format, std::uint32_t channels) {
  const FormatPair& found = find([&](const FormatPair& pair) { return pair.format == format; });
  if (channels != 1 && channels != 2 && channels != 4) throw Failure{Error::invalid_value};
  abi::ChannelFormat result{.bits = {}, .kind = found.kind};
  std::fill_n(result.bits, channels, found.bits);
  return result;
}

abi::ElementFormat element_of(const abi::ChannelFormat& format) {
  return find([&](const FormatPair& pair) {
           return pair.bits == format.bits[0] && pair.kind == format.kind;
         })
      .format;
}

std::uint32_t channels_of(const abi::ChannelFormat& format) {
  return static_cast<std::uint32_t>(std::count_if(std::begin(format.bits), std::end(format.bits),
                                                  [](int bits) { return bits != 0; }));
}

}  // namespace heddle::cuda::driver
