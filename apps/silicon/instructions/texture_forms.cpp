#include <fmt/format.h>

#include "form.h"

namespace heddle::silicon {

void add_texture_forms(std::vector<Form>& forms) {
  using Texture = workload::TextureDescription;
  for (const bool bytes : {false, true}) {
    for (const bool fraction : {false, true}) {
      for (const bool linear : {false, true}) {
        for (const bool normalized : {false, true}) {
          for (const bool wrap : {false, true}) {
            for (const std::uint32_t channels : {1u, 2u, 4u}) {
              if (fraction && !bytes) continue;  // Only integer texels can be read as fractions.
              if (linear && bytes && !fraction) continue;  // Only float values can be filtered.
              if (wrap && !normalized) continue;           // CUDA clamps unnormalized coordinates.
              const std::string type = bytes && !fraction ? "u32" : "f32";
              forms.push_back(
                  {.name = fmt::format("tex.2d.v4.{}.f32 {} {}{}{}{}", type, channels,
                                       bytes ? "bytes" : "floats", linear ? " linear" : "",
                                       normalized ? " normalized" : "", wrap ? " wrap" : ""),
                   .result = "b64",
                   .operands = {normalized ? "fraction" : "texel",
                                normalized ? "fraction" : "texel"},
                   // All four channels, mixed into 64 bits. If the texture is filtered, only two,
                   // unmixed: their last bits are unspecified, so the results are compared with a
                   // tolerance.
                   .text = "tex.2d.v4." + type + ".f32 {%x, %y, %i, %j}, [%tex, {%a, %b}]; " +
                           (linear ? "mov.b64 %d, {%x, %y};"
                                   : "mul.lo.u32 %y, %y, 0x01000193; xor.b32 %x, %x, %y; "
                                     "mul.lo.u32 %j, %j, 0x01000193; xor.b32 %i, %i, %j; "
                                     "mov.b64 %d, {%x, %i};"),
                   .approximate = linear,
                   .texture = Texture{.width = 37,
                                      .height = 21,
                                      .texel = bytes ? Texture::Texel::u8 : Texture::Texel::f32,
                                      .channels = channels,
                                      .linear = linear,
                                      .read_as_fraction = fraction,
                                      .normalized_coordinates = normalized,
                                      .edge = wrap ? Texture::Edge::wrap : Texture::Edge::clamp}});
            }
          }
        }
      }
    }
  }
}

}  // namespace heddle::silicon
