// The runtime's calls for stream-ordered memory and pools. Allocations come directly from the
// device's memory and return to it when freed, so pools do not hold memory.

#include "cuda/runtime/call.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda {
namespace {

// Numbers of attributes (cudaMemPoolAttr). Those from kFirstUsage to kLastUsage are the reserved
// and the used bytes, each with its current value and its high-water mark.
constexpr int kReleaseThreshold = 4;
constexpr int kFirstUsage = 5;
constexpr int kLastUsage = 8;
constexpr int kOnDevice = 1;  ///< cudaMemLocationTypeDevice

abi::PoolHandle default_pool(Session& session) {
  if (session.default_pool == nullptr) {
    session.default_pool = session.pools.add(std::make_unique<Pool>());
  }
  return session.default_pool;
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaMallocFromPoolAsync(void** pointer, std::size_t bytes,
                                                 abi::PoolHandle pool, abi::StreamHandle stream) {
  return call("cudaMallocAsync", [&](Session& session) {
    if (pool != nullptr) session.pools.get(pool);
    if (is_captured(session, stream)) {
      abi::AllocationNode parameters{};
      parameters.pool.location.kind = kOnDevice;
      parameters.bytes = bytes;
      void*& result = result_at(pointer);
      session.graphs.captures.add(stream, graphs::allocate_work(session, parameters));
      result = parameters.pointer;
      return;
    }
    const std::uint64_t address =
        session.allocations.allocate(session.device(), bytes, MemoryKind::device);
    result_at(pointer) = address == 0 ? nullptr : session.device().memory().host(address);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMallocAsync(void** pointer, std::size_t bytes,
                                         abi::StreamHandle stream) {
  return cudaMallocFromPoolAsync(pointer, bytes, nullptr, stream);
}

HEDDLE_CUDA_EXPORT Error cudaFreeAsync(void* pointer, abi::StreamHandle stream) {
  return call("cudaFreeAsync", [&](Session& session) {
    const bool is_captured = cuda::is_captured(session, stream);
    if (pointer == nullptr) return;
    if (is_captured) {
      session.graphs.captures.add(stream, graphs::free_work(session, pointer));
      return;
    }
    if (const auto memory = graphs::memory_at(session, pointer)) {
      graphs::free_memory(session, *memory);
      return;
    }
    session.allocations.free(session.device(), reinterpret_cast<std::uint64_t>(pointer), false);
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetDefaultMemPool(abi::PoolHandle* pool, int device) {
  return call("cudaDeviceGetDefaultMemPool", [&](Session& session) {
    check_device(device);
    result_at(pool) = default_pool(session);
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetMemPool(abi::PoolHandle* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

HEDDLE_CUDA_EXPORT Error cudaDeviceSetMemPool(int device, abi::PoolHandle pool) {
  return call("cudaDeviceSetMemPool", [&](Session& session) {
    check_device(device);
    session.pools.get(pool);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemPoolCreate(abi::PoolHandle* pool,
                                           const abi::PoolProperties* properties) {
  return call("cudaMemPoolCreate", [&](Session& session) {
    const abi::PoolProperties& requested = result_at(properties);
    if (requested.handle_kinds != 0 || requested.location.kind != kOnDevice) {
      throw Failure{Error::not_supported,
                    "Heddle supports memory pools only on the device and without shared handles"};
    }
    check_device(requested.location.id);
    abi::PoolHandle& result = result_at(pool);
    result = session.pools.add(std::make_unique<Pool>());
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemPoolDestroy(abi::PoolHandle pool) {
  return call("cudaMemPoolDestroy", [&](Session& session) {
    if (pool == session.default_pool) throw Failure{Error::invalid_value};
    session.pools.remove(pool);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemPoolTrimTo(abi::PoolHandle pool, std::size_t) {
  return call("cudaMemPoolTrimTo", [&](Session& session) { session.pools.get(pool); });
}

HEDDLE_CUDA_EXPORT Error cudaMemPoolSetAttribute(abi::PoolHandle pool, int attribute, void* value) {
  return call("cudaMemPoolSetAttribute", [&](Session& session) {
    Pool& object = session.pools.get(pool);
    if (attribute == kReleaseThreshold) {
      object.release_threshold = result_at(static_cast<std::uint64_t*>(value));
    }
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemPoolGetAttribute(abi::PoolHandle pool, int attribute, void* value) {
  return call("cudaMemPoolGetAttribute", [&](Session& session) {
    const Pool& object = session.pools.get(pool);
    if (attribute == kReleaseThreshold) {
      result_at(static_cast<std::uint64_t*>(value)) = object.release_threshold;
    } else if (attribute >= kFirstUsage && attribute <= kLastUsage) {
      result_at(static_cast<std::uint64_t*>(value)) = session.device().memory().used();
    } else {
      // The other attributes allow kinds of reuse. All are allowed.
      result_at(static_cast<int*>(value)) = 1;
    }
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemPoolSetAccess(abi::PoolHandle pool, const abi::MemoryAccess* access,
                                              std::size_t count) {
  return call("cudaMemPoolSetAccess", [&](Session& session) {
    session.pools.get(pool);
    for (std::size_t i = 0; i < count; ++i) check_device(access[i].location.id);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemPoolGetAccess(int* flags, abi::PoolHandle pool,
                                              abi::MemoryLocation* location) {
  return call("cudaMemPoolGetAccess", [&](Session& session) {
    session.pools.get(pool);
    check_device(result_at(location).id);
    constexpr int kReadAndWrite = 3;
    result_at(flags) = kReadAndWrite;
  });
}

}  // namespace heddle::cuda
