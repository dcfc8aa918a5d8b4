#include "cuda/runtime/enqueue.h"

#include "cuda/runtime/copy_3d.h"
#include "cuda/runtime/fills.h"

namespace heddle::cuda {

bool is_captured(Session& session, abi::StreamHandle stream) {
  session.check_stream(stream);
  return session.graphs.captures.captures(stream);
}

void check_not_captured(Session& session, abi::StreamHandle stream) {
  session.check_stream(stream);
  session.graphs.captures.refuse(stream);
}

void enqueue_copy(Session& session, abi::StreamHandle stream, const CopyPlace& to,
                  const CopyPlace& from, const CopyVolume& volume, abi::CopyKind kind) {
  if (!is_captured(session, stream)) {
    copy(session, to, from, volume, kind);
    return;
  }
  if (volume.row_bytes == 0 || volume.rows == 0 || volume.slices == 0) return;
  check_copy(session, to, from, volume, kind);
  session.graphs.captures.add(stream, graphs::CopyWork{description_of(to, from, volume, kind)});
}

void enqueue_copy(Session& session, abi::StreamHandle stream, const abi::Copy3D& copy) {
  if (!is_captured(session, stream)) {
    copy_3d(session, copy);
    return;
  }
  if (copy.extent.width == 0 || copy.extent.height == 0 || copy.extent.depth == 0) return;
  session.graphs.captures.add(stream, graphs::copy_work(session, copy));
}

void enqueue_fill(Session& session, abi::StreamHandle stream, const LinearPlace& to, int value,
                  const CopyVolume& volume) {
  if (!is_captured(session, stream)) {
    fill(session, to, value, volume);
    return;
  }
  // A node fills rows of equal distance. Slices of such rows are one node.
  const bool is_uniform = to.slice_pitch == to.pitch * volume.rows;
  const std::size_t nodes = is_uniform ? 1 : volume.slices;
  const std::size_t rows = is_uniform ? volume.rows * volume.slices : volume.rows;
  for (std::size_t z = 0; z < nodes; ++z) {
    enqueue_fill(session, stream,
                 {.to = to.base + z * to.slice_pitch,
                  .pitch = to.pitch,
                  .value = static_cast<std::uint8_t>(value),
                  .element_bytes = 1,
                  .width = volume.row_bytes,
                  .height = rows});
  }
}

void enqueue_fill(Session& session, abi::StreamHandle stream, const abi::Fill& requested) {
  if (!is_captured(session, stream)) {
    fill(session, requested);
    return;
  }
  if (requested.width == 0 || requested.height == 0) return;
  session.graphs.captures.add(stream, graphs::fill_work(requested));
}

bool capture_host_function(Session& session, abi::StreamHandle stream, abi::HostFunction function,
                           void* data) {
  if (!is_captured(session, stream)) return false;
  session.graphs.captures.add(stream, graphs::host_work({.function = function, .data = data}));
  return true;
}

}  // namespace heddle::cuda
