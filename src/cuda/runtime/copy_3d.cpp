#include "cuda/runtime/copy_3d.h"

namespace heddle::cuda {
namespace {

std::uint32_t texel_bytes(const Array& array) { return array.storage->format().texel_bytes(); }

/// The place of one side of a copy, in an array or, if `array` is null, in memory.
CopyPlace place_of(const Session& session, abi::ArrayHandle array, const abi::Position& at,
                   const abi::PitchedPointer& pointer) {
  if (array != nullptr) {
    const Array& object = session.arrays.get(array);
    return ArrayPlace{
        .array = &object, .x_bytes = at.x * texel_bytes(object), .y = at.y, .z = at.z};
  }
  const std::size_t slice_pitch = pointer.pitch * pointer.height;
  LinearPlace place = linear_place(pointer.pointer, pointer.pitch, slice_pitch);
  if (place.base != nullptr) place.base += at.z * slice_pitch + at.y * pointer.pitch + at.x;
  return place;
}

CopyPlace target_of(const Session& session, const abi::Copy3D& copy) {
  return place_of(session, copy.to_array, copy.to_position, copy.to_pointer);
}
CopyPlace source_of(const Session& session, const abi::Copy3D& copy) {
  return place_of(session, copy.from_array, copy.from_position, copy.from_pointer);
}

CopyVolume volume_of(const Session& session, const abi::Copy3D& copy) {
  CopyVolume volume{
      .row_bytes = copy.extent.width, .rows = copy.extent.height, .slices = copy.extent.depth};
  // The width is in bytes, except that it is in texels if the copy involves an array.
  for (abi::ArrayHandle array : {copy.to_array, copy.from_array}) {
    if (array == nullptr) continue;
    volume.row_bytes = copy.extent.width * texel_bytes(session.arrays.get(array));
    break;
  }
  return volume;
}

/// Throws Failure unless `bytes` is a number of whole texels; returns this number.
std::size_t texels(std::size_t bytes, const Array& array) {
  if (bytes % texel_bytes(array) != 0) throw Failure{Error::invalid_value};
  return bytes / texel_bytes(array);
}

/// Describes one side of a copy.
void describe(const CopyPlace& place, const CopyVolume& volume, abi::ArrayHandle& array,
              abi::Position& position, abi::PitchedPointer& pointer) {
  if (const auto* const texture = std::get_if<ArrayPlace>(&place)) {
    array = reinterpret_cast<abi::ArrayHandle>(const_cast<Array*>(texture->array));
    position = {.x = texels(texture->x_bytes, *texture->array), .y = texture->y, .z = texture->z};
    return;
  }
  const auto& linear = std::get<LinearPlace>(place);
  const std::size_t pitch = linear.pitch == 0 ? volume.row_bytes : linear.pitch;
  const std::size_t rows = pitch == 0 ? 0 : linear.slice_pitch / pitch;
  pointer = {.pointer = linear.base,
             .pitch = pitch,
             .width = volume.row_bytes,
             .height = rows == 0 ? volume.rows : rows};
}

}  // namespace

void copy_3d(Session& session, const abi::Copy3D& requested) {
  copy(session, target_of(session, requested), source_of(session, requested),
       volume_of(session, requested), requested.kind);
}

void check_copy_3d(Session& session, const abi::Copy3D& requested) {
  check_copy(session, target_of(session, requested), source_of(session, requested),
             volume_of(session, requested), requested.kind);
}

abi::Copy3D description_of(const CopyPlace& to, const CopyPlace& from, const CopyVolume& volume,
                           abi::CopyKind kind) {
  abi::Copy3D copy{};
  describe(to, volume, copy.to_array, copy.to_position, copy.to_pointer);
  describe(from, volume, copy.from_array, copy.from_position, copy.from_pointer);
  copy.extent = {.width = volume.row_bytes, .height = volume.rows, .depth = volume.slices};
  for (const CopyPlace* const place : {&to, &from}) {
    if (const auto* const texture = std::get_if<ArrayPlace>(place)) {
      copy.extent.width = texels(volume.row_bytes, *texture->array);
      break;
    }
  }
  copy.kind = kind;
  return copy;
}

bool have_same_memory(Session& session, const abi::Copy3D& one, const abi::Copy3D& other) {
  const auto same = [&](const CopyPlace& first, const CopyPlace& second) {
    if (first.index() != second.index()) return false;
    const Side first_side = side_of(session, first), second_side = side_of(session, second);
    return first_side == second_side || first_side == Side::both || second_side == Side::both;
  };
  return same(target_of(session, one), target_of(session, other)) &&
         same(source_of(session, one), source_of(session, other));
}

}  // namespace heddle::cuda
