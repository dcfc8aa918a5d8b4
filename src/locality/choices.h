#pragma once

// What a measurement of locality observes, and the names of the choices for options and parameters.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heddle::locality {

/// The accesses that form one stream. Launches never share a stream.
enum class StreamKind : std::uint8_t { warp, block, sm, chip };
inline constexpr std::array<std::string_view, 4> kStreamKinds{"warp", "block", "sm", "chip"};

/// An atomic both loads and stores, and therefore belongs to each choice.
enum class AccessChoice : std::uint8_t { loads, stores, all };
inline constexpr std::array<std::string_view, 3> kAccessChoices{"loads", "stores", "all"};

/// Whether the addresses are those before or after coalescing.
enum class Stage : std::uint8_t {
  lanes,     ///< The address of each active lane, from the lowest to the highest.
  segments,  ///< The address of each segment into which the access of a warp is coalesced.
};
inline constexpr std::array<std::string_view, 2> kStages{"lanes", "segments"};

/// What makes two addresses neighbours, for a neighbourhood of 2^n bytes.
enum class Reading : std::uint8_t {
  group,     ///< They are in the same aligned group of 2^n bytes, as in a cache's block.
  distance,  ///< They are less than 2^n bytes apart.
};
inline constexpr std::array<std::string_view, 2> kReadings{"group", "distance"};

constexpr std::string_view name_of(StreamKind stream) {
  return kStreamKinds[static_cast<std::size_t>(stream)];
}
constexpr std::string_view name_of(AccessChoice accesses) {
  return kAccessChoices[static_cast<std::size_t>(accesses)];
}
constexpr std::string_view name_of(Stage stage) { return kStages[static_cast<std::size_t>(stage)]; }
constexpr std::string_view name_of(Reading reading) {
  return kReadings[static_cast<std::size_t>(reading)];
}

}  // namespace heddle::locality
