#include "exec/texture/instruction_operands.h"

#include <fmt/format.h>

#include <string>

#include "exec/fault/fault.h"
#include "exec/memory/global_memory.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec {
namespace {

std::string name_of_image(const Image& image) {
  return fmt::format("a {}{}", image.layered ? "layered " : "",
                     image.cube ? "cube map" : fmt::format("{}D image", image.dimensions));
}

std::string name_of_geometry(const Geometry& geometry) {
  return fmt::format("a {}{}", geometry.has_layer ? "layered " : "",
                     geometry.cube ? "cube map" : fmt::format("{}D image", geometry.coordinates));
}

}  // namespace

std::byte* host_of(const WarpContext& context, const Image& image, int lane) {
  const AllocationWindow window = window_at(context, image.address);
  const std::uint64_t offset = image.address - window.begin;
  if (offset >= window.bytes || image.bytes > window.bytes - offset) {
    raise(FaultKind::freed_memory, lane, image.address, 0,
          fmt::format("the memory of a texture or surface at {:#x} was freed: {}", image.address,
                      context.memory.global == nullptr
                          ? "the launch has no device memory"
                          : context.memory.global->describe(image.address, image.bytes)));
  }
  return window.host + offset;
}

void raise_no_texture(const WarpContext& context, int lane, std::uint64_t handle, bool surface) {
  raise(
      FaultKind::invalid_texture, lane, handle, 0,
      fmt::format("{:#x} is not a {} handle: it is {}", handle, surface ? "surface" : "texture",
                  context.memory.textures == nullptr ? "an unknown handle"
                                                     : context.memory.textures->describe(handle)));
}

const Texture& texture_of(const WarpContext& context, int lane, std::uint64_t handle) {
  const TextureUnit* const unit = context.memory.textures;
  const Texture* const texture = unit == nullptr ? nullptr : unit->find_texture(handle);
  if (texture == nullptr) raise_no_texture(context, lane, handle, false);
  return *texture;
}

void check_geometry(const Image& image, const code::Instruction& instruction, int lane,
                    std::uint64_t handle) {
  const Geometry geometry = geometry_of(instruction.geometry);
  const bool is_surface = instruction.operation == code::Operation::surface_load ||
                          instruction.operation == code::Operation::surface_store ||
                          instruction.operation == code::Operation::surface_reduce;
  // Surface instructions access a cube map as a layered image of its faces.
  const bool as_layers = is_surface && image.cube;
  const bool layered = image.layered || as_layers;
  const bool cube = image.cube && !as_layers;
  const auto coordinates = static_cast<std::size_t>(image.dimensions);
  if (geometry.has_layer == layered && geometry.cube == cube &&
      (cube || geometry.coordinates == coordinates)) {
    return;
  }
  raise(FaultKind::invalid_texture, lane, handle, 0,
        fmt::format("the {} {:#x} is {}, but is used as {}", is_surface ? "surface" : "texture",
                    handle, name_of_image(image), name_of_geometry(geometry)));
}

}  // namespace heddle::exec
