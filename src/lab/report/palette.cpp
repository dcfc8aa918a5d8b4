#include "lab/report/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "lab/report/markup.h"

namespace heddle::lab::report {
namespace {

/// Textures: SVG paths that are drawn in the page's colour over the series' colour, in tiles of 8
/// by 8 pixels.
constexpr std::array kTextures{
    "",
    "M-2,2l4,-4M0,8l8,-8M6,10l4,-4",
    "M2,2h1M6,6h1",
    "M0,2h8M0,6h8",
    "M-2,6l4,4M0,0l8,8M6,-2l4,4",
    "M2,0v8M6,0v8",
    "M0,4h8M4,0v8",
};
/// The number of distinct fills: each colour occurs with two textures.
constexpr std::size_t kFillCount = 2 * kColourCount;

std::string pattern(const std::string& name, const std::string& colour, const char* texture) {
  const std::string ground = leaf("rect", {{"width", "8"}, {"height", "8"}, {"class", colour}});
  const std::string texture_path =
      *texture == '\0' ? "" : leaf("path", {{"class", "texture"}, {"d", texture}});
  return element(
      "pattern",
      {{"id", name}, {"width", "8"}, {"height", "8"}, {"patternUnits", "userSpaceOnUse"}},
      ground + texture_path);
}

struct Rgb {
  double red, green, blue;
};
/// Colours of increasing lightness that are distinct for colour-blind readers, too.
constexpr std::array kRamp{Rgb{49, 33, 94},   Rgb{52, 84, 140},  Rgb{35, 128, 142},
                           Rgb{53, 167, 122}, Rgb{148, 206, 72}, Rgb{250, 226, 80}};

/// The colour at the part's position between the ends of kRamp.
Rgb ramp_colour(std::size_t part, std::size_t parts) {
  const double position =
      parts < 2 ? 2.0
                : static_cast<double>(part * (kRamp.size() - 1)) / static_cast<double>(parts - 1);
  const auto below = std::min(static_cast<std::size_t>(position), kRamp.size() - 2);
  const double share = position - static_cast<double>(below);
  const Rgb& a = kRamp[below];
  const Rgb& b = kRamp[below + 1];
  return {a.red + share * (b.red - a.red), a.green + share * (b.green - a.green),
          a.blue + share * (b.blue - a.blue)};
}

}  // namespace

std::string fill_definitions() {
  std::string patterns = pattern("fill-base", "baseline-fill", "");
  for (std::size_t i = 0; i < kFillCount; ++i) {
    patterns += pattern(fmt::format("fill-{}", i), fmt::format("colour-{}", i % kColourCount),
                        kTextures[(i % kColourCount + 3 * (i / kColourCount)) % kTextures.size()]);
  }
  return element(
      "svg", {{"width", "0"}, {"height", "0"}, {"aria-hidden", "true"}, {"class", "definitions"}},
      element("defs", {}, patterns));
}

std::string fill_of(std::size_t series) {
  return fmt::format("url(#fill-{})", series % kFillCount);
}

std::string baseline_fill() { return "url(#fill-base)"; }

std::string line_class(std::size_t series) {
  return fmt::format("line-{}{}", series % kColourCount,
                     series / kColourCount % 2 == 1 ? " dashed" : "");
}

std::string marker(std::size_t series, double x, double y) {
  constexpr std::array kShapes{"m-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
                               "m-3.5,-3.5h7v7h-7z",
                               "m0,-4.8l4.6,8h-9.2z",
                               "m0,-5l5,5l-5,5l-5,-5z",
                               "m0,4.8l4.6,-8h-9.2z",
                               "m-1.5,-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z"};
  return fmt::format("M{},{}{}", length(x), length(y), kShapes[series % kShapes.size()]);
}

std::string part_colour(std::size_t part, std::size_t parts) {
  const Rgb colour = ramp_colour(part, parts);
  return fmt::format("#{:02x}{:02x}{:02x}", std::lround(colour.red), std::lround(colour.green),
                     std::lround(colour.blue));
}

std::string part_ink(std::size_t part, std::size_t parts) {
  const Rgb colour = ramp_colour(part, parts);
  // Approximate perceived lightness; near the threshold both inks are readable.
  return 0.3 * colour.red + 0.59 * colour.green + 0.11 * colour.blue > 125 ? "#000" : "#fff";
}

}  // namespace heddle::lab::report
