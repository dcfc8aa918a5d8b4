// The runtime's calls for memory: the device's, and memory shared with the host.

#include <cstdint>

#include "cuda/runtime/call.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda {
namespace {

/// The pitch of an allocation is a multiple of this number of bytes, which suffices for textures.
constexpr std::size_t kPitchStep = 512;
constexpr std::uint32_t kMaxHostFlags = 7;       ///< All flags of cudaHostAlloc.
constexpr std::uint32_t kMaxRegisterFlags = 15;  ///< All flags of cudaHostRegister.
constexpr std::uint32_t kReadOnly = 8;
constexpr std::uint32_t kAttachGlobal = 1;
constexpr std::uint32_t kAttachHost = 2;

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// The host's pointer to device memory, which has the same address on the host; null for address 0.
void* pointer_to(Session& session, std::uint64_t address) {
  return address == 0 ? nullptr : session.device().memory().host(address);
}

void allocate(Session& session, void** pointer, std::size_t bytes, MemoryKind kind,
              std::uint32_t flags = 0) {
  session.graphs.captures.check_unsafe();
  void*& result = result_at(pointer);
  result = pointer_to(session, session.allocations.allocate(session.device(), bytes, kind, flags));
}

/// Allocates rows of `width` bytes and returns their pitch. Throws Failure if the memory is
/// exhausted.
std::size_t allocate_pitched(Session& session, void** pointer, std::size_t width,
                             std::size_t rows) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 40;  // So that no product overflows.
  if (width > kMaxBytes || rows > kMaxBytes / (width + kPitchStep)) {
    throw Failure{Error::memory_allocation};
  }
  const std::size_t pitch = (width + kPitchStep - 1) / kPitchStep * kPitchStep;
  allocate(session, pointer, pitch * rows, MemoryKind::device);
  return pitch;
}

void free(Session& session, void* pointer, bool is_host) {
  session.graphs.captures.check_unsafe();
  if (pointer == nullptr) return;
  if (const auto memory = graphs::memory_at(session, pointer)) {
    graphs::free_memory(session, *memory);
    return;
  }
  session.allocations.free(session.device(), address_of(pointer), is_host);
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaMalloc(void** pointer, std::size_t bytes) {
  return call_beside_kernel("cudaMalloc", [&](Session& session) {
    allocate(session, pointer, bytes, MemoryKind::device);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags) {
  return call_beside_kernel("cudaMallocManaged", [&](Session& session) {
    if (bytes == 0 || (flags != kAttachGlobal && flags != kAttachHost)) {
      throw Failure{Error::invalid_value};
    }
    allocate(session, pointer, bytes, MemoryKind::managed, flags);
  });
}

HEDDLE_CUDA_EXPORT Error cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return call_beside_kernel("cudaHostAlloc", [&](Session& session) {
    if (flags > kMaxHostFlags) throw Failure{Error::invalid_value};
    allocate(session, pointer, bytes, MemoryKind::host, flags);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMallocHost(void** pointer, std::size_t bytes) {
  return cudaHostAlloc(pointer, bytes, 0);
}

HEDDLE_CUDA_EXPORT Error cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                         std::size_t rows) {
  return call_beside_kernel("cudaMallocPitch", [&](Session& session) {
    result_at(pitch) = allocate_pitched(session, pointer, width, rows);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMalloc3D(abi::PitchedPointer* result, abi::Extent extent) {
  return call_beside_kernel("cudaMalloc3D", [&](Session& session) {
    abi::PitchedPointer& memory = result_at(result);
    std::size_t rows = 0;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) {
      throw Failure{Error::memory_allocation};
    }
    memory.pitch = allocate_pitched(session, &memory.pointer, extent.width, rows);
    memory.width = extent.width;
    memory.height = extent.height;
  });
}

HEDDLE_CUDA_EXPORT Error cudaFree(void* pointer) {
  return call("cudaFree", [&](Session& session) {
    session.device();  // Programs call cudaFree(0) to create the device.
    free(session, pointer, false);
  });
}

HEDDLE_CUDA_EXPORT Error cudaFreeHost(void* pointer) {
  return call("cudaFreeHost", [&](Session& session) { free(session, pointer, true); });
}

HEDDLE_CUDA_EXPORT Error cudaHostGetDevicePointer(void** pointer, void* host, unsigned flags) {
  return call_beside_kernel("cudaHostGetDevicePointer", [&](Session& session) {
    if (flags != 0) throw Failure{Error::invalid_value};
    if (session.registered_memory.flags_at(address_of(host))) {
      result_at(pointer) = pointer_to(
          session, session.registered_memory.device_address(address_of(host), session.device()));
      return;
    }
    const Allocations::Entry found = session.allocations.find(address_of(host));
    if (found.address == 0 || found.allocation.kind != MemoryKind::host) {
      throw Failure{Error::invalid_value};
    }
    result_at(pointer) = host;
  });
}

HEDDLE_CUDA_EXPORT Error cudaHostGetFlags(unsigned* flags, void* host) {
  return call_beside_kernel("cudaHostGetFlags", [&](Session& session) {
    constexpr std::uint32_t kMapped = 2;  // All host memory is mapped.
    if (const auto requested = session.registered_memory.flags_at(address_of(host))) {
      result_at(flags) = *requested | kMapped;
      return;
    }
    const Allocations::Entry found = session.allocations.find(address_of(host));
    if (found.address == 0 || found.allocation.kind != MemoryKind::host) {
      throw Failure{Error::invalid_value};
    }
    result_at(flags) = found.allocation.flags | kMapped;
  });
}

HEDDLE_CUDA_EXPORT Error cudaHostRegister(void* host, std::size_t bytes, unsigned flags) {
  return call("cudaHostRegister", [&](Session& session) {
    session.graphs.captures.check_unsafe();
    if (flags > kMaxRegisterFlags) throw Failure{Error::invalid_value};
    // Accordingly, the device attribute for read-only registration is 0.
    if ((flags & kReadOnly) != 0) throw Failure{Error::not_supported};
    if (in_device_memory(host)) throw Failure{Error::already_registered};
    session.registered_memory.add(address_of(host), bytes, flags);
  });
}

HEDDLE_CUDA_EXPORT Error cudaHostUnregister(void* host) {
  return call("cudaHostUnregister", [&](Session& session) {
    session.graphs.captures.check_unsafe();
    session.registered_memory.remove(address_of(host), session.device());
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return call_beside_kernel("cudaMemGetInfo", [&](Session& session) {
    const exec::GlobalMemory& memory = session.device().memory();
    result_at(free_bytes) = memory.capacity() - memory.used();
    result_at(total_bytes) = memory.capacity();
  });
}

HEDDLE_CUDA_EXPORT Error cudaPointerGetAttributes(abi::PointerAttributes* attributes,
                                                  const void* pointer) {
  return call_beside_kernel("cudaPointerGetAttributes", [&](Session& session) {
    abi::PointerAttributes& result = result_at(attributes);
    const Allocations::Entry found = session.allocations.find(address_of(pointer));
    void* const same = const_cast<void*>(pointer);
    result = {};
    if (session.registered_memory.flags_at(address_of(pointer))) {
      result.kind = abi::PointerKind::host;
      result.host_pointer = same;
      result.device_pointer = pointer_to(
          session, session.registered_memory.device_address(address_of(pointer), session.device()));
      return;
    }
    if (const auto host = session.registered_memory.host_address(address_of(pointer))) {
      result.kind = abi::PointerKind::host;
      result.host_pointer = reinterpret_cast<void*>(*host);
      result.device_pointer = same;
      return;
    }
    if (found.address == 0 && !in_device_memory(pointer)) {
      result.kind = abi::PointerKind::unregistered;
      result.device = -2;  // CUDA's number for memory that belongs to no device.
      result.host_pointer = same;
      return;
    }
    result.device_pointer = same;
    const MemoryKind kind = found.allocation.kind;
    if (kind != MemoryKind::device) result.host_pointer = same;
    result.kind = kind == MemoryKind::host      ? abi::PointerKind::host
                  : kind == MemoryKind::managed ? abi::PointerKind::managed
                                                : abi::PointerKind::device;
  });
}

/// Advice and prefetches have no effect: host and device share the memory.
HEDDLE_CUDA_EXPORT Error cudaMemAdvise(const void* pointer, std::size_t, int, abi::MemoryLocation) {
  return call_beside_kernel("cudaMemAdvise", [&](Session&) {
    if (!in_device_memory(pointer)) throw Failure{Error::invalid_value};
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemPrefetchAsync(const void* pointer, std::size_t, abi::MemoryLocation,
                                              unsigned, abi::StreamHandle stream) {
  return call_beside_kernel("cudaMemPrefetchAsync", [&](Session& session) {
    check_not_captured(session, stream);
    if (!in_device_memory(pointer)) throw Failure{Error::invalid_value};
  });
}

}  // namespace heddle::cuda
