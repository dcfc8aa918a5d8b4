// The driver's calls that manage contexts (see contexts.h), and those that act on the device of the
// current context.

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

/// The union of all flags of contexts: the lowest 8 bits. More bits are an error.
constexpr std::uint32_t kAllFlags = 0xff;

Result create(const char* name, abi::ContextHandle* context, unsigned flags, int device) {
  return once_initialised(name, [&](Session& session) {
    check_device(device);
    if (flags > kAllFlags) throw Failure{Error::invalid_value};
    session.device();  // Creates the device, if this is its first use.
    abi::ContextHandle& result = result_at(context);
    result = Contexts::instance().create(flags);
  });
}

}  // namespace

/// Creates a context. Contexts for a part of the multiprocessors, or shared with graphics, are not
/// supported.
HEDDLE_CUDA_EXPORT Result cuCtxCreate_v4(abi::ContextHandle* context, const void* parameters,
                                         unsigned flags, int device) {
  constexpr const char* kName = "cuCtxCreate";
  struct Parameters {
    const void* affinities;
    int affinity_count;
    const void* graphics;
  };
  const auto* const requested = static_cast<const Parameters*>(parameters);
  if (requested != nullptr && (requested->affinity_count != 0 || requested->graphics != nullptr)) {
    return once_initialised(kName, [](Session&) {
      throw Failure{Error::not_supported,
                    "Heddle does not support contexts for a part of the multiprocessors or for "
                    "graphics"};
    });
  }
  return create(kName, context, flags, device);
}

HEDDLE_CUDA_EXPORT Result cuCtxCreate_v3(abi::ContextHandle* context, const void*, int affinities,
                                         unsigned flags, int device) {
  if (affinities != 0) {
    return once_initialised("cuCtxCreate", [](Session&) {
      throw Failure{Error::not_supported,
                    "Heddle does not support contexts for a part of the multiprocessors"};
    });
  }
  return create("cuCtxCreate", context, flags, device);
}

HEDDLE_CUDA_EXPORT Result cuCtxCreate_v2(abi::ContextHandle* context, unsigned flags, int device) {
  return create("cuCtxCreate", context, flags, device);
}

HEDDLE_CUDA_EXPORT Result cuCtxDestroy_v2(abi::ContextHandle context) {
  return once_initialised(
      "cuCtxDestroy", [&](Session& session) { Contexts::instance().destroy(session, context); });
}

HEDDLE_CUDA_EXPORT Result cuCtxAttach(abi::ContextHandle* context, unsigned flags) {
  return once_initialised("cuCtxAttach", [&](Session& session) {
    if (flags != 0) throw Failure{Error::invalid_value};
    Contexts& contexts = Contexts::instance();
    ++contexts.get(session, nullptr).use_count;
    result_at(context) = contexts.current(session);
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxDetach(abi::ContextHandle context) {
  return once_initialised("cuCtxDetach", [&](Session& session) {
    Contexts& contexts = Contexts::instance();
    if (context == nullptr) throw Failure{Error::invalid_context};
    if (--contexts.get(session, context).use_count == 0) contexts.destroy(session, context);
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxPushCurrent_v2(abi::ContextHandle context) {
  return once_initialised("cuCtxPushCurrent",
                          [&](Session& session) { Contexts::instance().push(session, context); });
}

HEDDLE_CUDA_EXPORT Result cuCtxPopCurrent_v2(abi::ContextHandle* context) {
  return once_initialised("cuCtxPopCurrent", [&](Session& session) {
    const abi::ContextHandle popped = Contexts::instance().pop(session);
    if (context != nullptr) *context = popped;
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxSetCurrent(abi::ContextHandle context) {
  return once_initialised("cuCtxSetCurrent",
                          [&](Session& session) { Contexts::instance().set(session, context); });
}

HEDDLE_CUDA_EXPORT Result cuCtxGetCurrent(abi::ContextHandle* context) {
  return once_initialised("cuCtxGetCurrent", [&](Session& session) {
    result_at(context) = Contexts::instance().current(session);
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxGetDevice_v2(int* device, abi::ContextHandle context) {
  return once_initialised("cuCtxGetDevice", [&](Session& session) {
    Contexts::instance().check(session, context);
    result_at(device) = 0;
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxGetDevice(int* device) { return cuCtxGetDevice_v2(device, nullptr); }

HEDDLE_CUDA_EXPORT Result cuCtxGetFlags(unsigned* flags) {
  return once_initialised("cuCtxGetFlags", [&](Session& session) {
    result_at(flags) = Contexts::instance().get(session, nullptr).flags;
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxSetFlags(unsigned flags) {
  return once_initialised("cuCtxSetFlags", [&](Session& session) {
    if (flags > kAllFlags) throw Failure{Error::invalid_value};
    Contexts::instance().get(session, nullptr).flags = flags;
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxGetId(abi::ContextHandle context, unsigned long long* id) {
  return once_initialised("cuCtxGetId", [&](Session& session) {
    result_at(id) = Contexts::instance().get(session, context).id;
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxGetApiVersion(abi::ContextHandle context, unsigned* version) {
  return once_initialised("cuCtxGetApiVersion", [&](Session& session) {
    Contexts::instance().check(session, context);
    // Contexts have had this version since CUDA 3.2.
    constexpr unsigned kInterfaceVersion = 3020;
    result_at(version) = kInterfaceVersion;
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxSynchronize() {
  return in_context("cuCtxSynchronize", [](Session&) { require(cudaDeviceSynchronize()); });
}

HEDDLE_CUDA_EXPORT Result cuCtxSynchronize_v2(abi::ContextHandle context) {
  return once_initialised("cuCtxSynchronize", [&](Session& session) {
    Contexts::instance().check(session, context);
    require(cudaDeviceSynchronize());
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxSetLimit(abi::Limit limit, std::size_t value) {
  return in_context("cuCtxSetLimit", [&](Session&) { require(cudaDeviceSetLimit(limit, value)); });
}

HEDDLE_CUDA_EXPORT Result cuCtxGetLimit(std::size_t* value, abi::Limit limit) {
  return in_context("cuCtxGetLimit", [&](Session&) { require(cudaDeviceGetLimit(value, limit)); });
}

/// The preferences for caches and banks have no effect: the machine's description sets the sizes of
/// L1 and shared memory, and the width of banks.
HEDDLE_CUDA_EXPORT Result cuCtxSetCacheConfig(int) {
  return in_context("cuCtxSetCacheConfig", [](Session&) {});
}

HEDDLE_CUDA_EXPORT Result cuCtxGetCacheConfig(int* configuration) {
  return in_context("cuCtxGetCacheConfig", [&](Session&) { result_at(configuration) = 0; });
}

HEDDLE_CUDA_EXPORT Result cuCtxSetSharedMemConfig(int) {
  return in_context("cuCtxSetSharedMemConfig", [](Session&) {});
}

HEDDLE_CUDA_EXPORT Result cuCtxGetSharedMemConfig(int* configuration) {
  return in_context("cuCtxGetSharedMemConfig", [&](Session&) {
    constexpr int kFourBytes = 1;  // The width of a bank.
    result_at(configuration) = kFourBytes;
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return in_context("cuCtxGetStreamPriorityRange", [&](Session&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = 0;
  });
}

HEDDLE_CUDA_EXPORT Result cuCtxEnablePeerAccess(abi::ContextHandle, unsigned) {
  return in_context("cuCtxEnablePeerAccess",
                    [](Session&) { throw Failure{Error::peer_access_unsupported}; });
}

HEDDLE_CUDA_EXPORT Result cuCtxDisablePeerAccess(abi::ContextHandle) {
  return in_context("cuCtxDisablePeerAccess",
                    [](Session&) { throw Failure{Error::peer_access_not_enabled}; });
}

}  // namespace heddle::cuda::driver
