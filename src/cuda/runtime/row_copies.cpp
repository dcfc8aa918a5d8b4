#include "cuda/runtime/row_copies.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace heddle::cuda {
namespace {

std::uint64_t address_of(const std::byte* address) {
  return reinterpret_cast<std::uint64_t>(address);
}

std::byte* row_of(const LinearPlace& place, std::size_t y, std::size_t z) {
  return place.base + y * place.pitch + z * place.slice_pitch;
}

void read_row(Session& session, const CopyPlace& from, std::size_t y, std::size_t z,
              std::span<std::byte> to) {
  if (const auto* const place = std::get_if<ArrayPlace>(&from)) {
    place->array->storage->read_row(to, place->x_bytes, static_cast<std::uint32_t>(place->y + y),
                                    static_cast<std::uint32_t>(place->z + z), place->array->level);
    return;
  }
  const std::byte* const row = row_of(std::get<LinearPlace>(from), y, z);
  if (in_device_memory(row)) {
    session.device().copy_from_device(to, address_of(row));
  } else {
    std::memcpy(to.data(), row, to.size());
  }
}

void write_row(Session& session, const CopyPlace& to, std::size_t y, std::size_t z,
               std::span<const std::byte> from) {
  if (const auto* const place = std::get_if<ArrayPlace>(&to)) {
    place->array->storage->write_row(from, place->x_bytes, static_cast<std::uint32_t>(place->y + y),
                                     static_cast<std::uint32_t>(place->z + z), place->array->level);
    return;
  }
  std::byte* const row = row_of(std::get<LinearPlace>(to), y, z);
  if (in_device_memory(row)) {
    session.device().copy_to_device(address_of(row), from);
  } else {
    std::memmove(row, from.data(), from.size());
  }
}

/// Copies one row between two places in memory, without an intermediate buffer.
void copy_linear(Session& session, std::byte* to, const std::byte* from, std::size_t bytes) {
  const bool to_device = in_device_memory(to);
  const bool from_device = in_device_memory(from);
  if (to_device && from_device) {
    session.device().copy_within_device(address_of(to), address_of(from), bytes);
  } else if (to_device) {
    session.device().copy_to_device(address_of(to), {from, bytes});
  } else if (from_device) {
    session.device().copy_from_device({to, bytes}, address_of(from));
  } else {
    std::memmove(to, from, bytes);
  }
}

void check_direction(Session& session, const CopyPlace& to, const CopyPlace& from,
                     abi::CopyKind kind) {
  if (static_cast<int>(kind) < 0 || kind > abi::CopyKind::by_address) {
    throw Failure{Error::invalid_copy_direction};
  }
  if (kind == abi::CopyKind::by_address) return;
  const bool to_device =
      kind == abi::CopyKind::host_to_device || kind == abi::CopyKind::device_to_device;
  const bool from_device =
      kind == abi::CopyKind::device_to_host || kind == abi::CopyKind::device_to_device;
  const auto contradicts = [&](const CopyPlace& place, bool device) {
    return side_of(session, place) == (device ? Side::host : Side::device);
  };
  if (contradicts(to, to_device) || contradicts(from, from_device)) {
    throw Failure{Error::invalid_value};
  }
}

/// If a place is in the device's copy of registered memory, returns the place in the host's memory,
/// because only that is current between kernels. Throws Failure if the place begins in a registered
/// range and ends after it.
LinearPlace resolve_registered(const Session& session, LinearPlace place,
                               const CopyVolume& volume) {
  const auto host = session.registered_memory.host_address(address_of(place.base));
  if (!host) return place;
  const std::uint64_t last = (volume.slices - 1) * place.slice_pitch +
                             (volume.rows - 1) * place.pitch + volume.row_bytes - 1;
  if (session.registered_memory.host_address(address_of(place.base) + last) != *host + last) {
    throw Failure{Error::invalid_value};
  }
  place.base = reinterpret_cast<std::byte*>(*host);
  return place;
}

CopyPlace resolve_registered(const Session& session, const CopyPlace& place,
                             const CopyVolume& volume) {
  const auto* const linear = std::get_if<LinearPlace>(&place);
  return linear == nullptr ? place : resolve_registered(session, *linear, volume);
}

void check_pitch(const CopyPlace& place, const CopyVolume& volume) {
  const auto* const linear = std::get_if<LinearPlace>(&place);
  if (linear == nullptr) return;
  if (linear->base == nullptr) throw Failure{Error::invalid_value};
  if (volume.rows > 1 && linear->pitch < volume.row_bytes) throw Failure{Error::invalid_pitch};
}

}  // namespace

Side side_of(const Session& session, const CopyPlace& place) {
  if (std::holds_alternative<ArrayPlace>(place)) return Side::device;
  const std::byte* const base = std::get<LinearPlace>(place).base;
  if (!in_device_memory(base)) return Side::host;
  const Allocations::Entry found = session.allocations.find(address_of(base));
  const bool shared = (found.address != 0 && found.allocation.kind != MemoryKind::device) ||
                      session.registered_memory.host_address(address_of(base));
  return shared ? Side::both : Side::device;
}

LinearPlace linear_place(const void* base, std::size_t pitch, std::size_t slice_pitch) {
  return {.base = static_cast<std::byte*>(const_cast<void*>(base)),
          .pitch = pitch,
          .slice_pitch = slice_pitch};
}

void check_copy(Session& session, const CopyPlace& to, const CopyPlace& from,
                const CopyVolume& volume, abi::CopyKind kind) {
  check_pitch(to, volume);
  check_pitch(from, volume);
  check_direction(session, to, from, kind);
}

void copy(Session& session, const CopyPlace& requested_to, const CopyPlace& requested_from,
          const CopyVolume& volume, abi::CopyKind kind) {
  if (volume.row_bytes == 0 || volume.rows == 0 || volume.slices == 0) return;
  check_copy(session, requested_to, requested_from, volume, kind);
  const CopyPlace to = resolve_registered(session, requested_to, volume);
  const CopyPlace from = resolve_registered(session, requested_from, volume);
  const auto* const linear_to = std::get_if<LinearPlace>(&to);
  const auto* const linear_from = std::get_if<LinearPlace>(&from);
  std::vector<std::byte> row;
  for (std::size_t z = 0; z < volume.slices; ++z) {
    for (std::size_t y = 0; y < volume.rows; ++y) {
      if (linear_to != nullptr && linear_from != nullptr) {
        copy_linear(session, row_of(*linear_to, y, z), row_of(*linear_from, y, z),
                    volume.row_bytes);
        continue;
      }
      row.resize(volume.row_bytes);
      read_row(session, from, y, z, row);
      write_row(session, to, y, z, row);
    }
  }
}

void fill(Session& session, const LinearPlace& requested, int value, const CopyVolume& volume) {
  if (volume.row_bytes == 0 || volume.rows == 0 || volume.slices == 0) return;
  check_pitch(requested, volume);
  if (!in_device_memory(requested.base)) throw Failure{Error::invalid_value};
  const LinearPlace to = resolve_registered(session, requested, volume);
  for (std::size_t z = 0; z < volume.slices; ++z) {
    for (std::size_t y = 0; y < volume.rows; ++y) {
      std::byte* const row = row_of(to, y, z);
      if (in_device_memory(row)) {
        session.device().set(address_of(row), static_cast<std::uint8_t>(value), volume.row_bytes);
      } else {
        std::memset(row, value, volume.row_bytes);
      }
    }
  }
}

}  // namespace heddle::cuda
