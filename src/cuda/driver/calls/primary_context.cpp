// The driver's calls for the device's primary context, the context that the runtime uses.

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {

HEDDLE_CUDA_EXPORT Result cuDevicePrimaryCtxRetain(abi::ContextHandle* context, int device) {
  return once_initialised("cuDevicePrimaryCtxRetain", [&](Session& session) {
    check_device(device);
    session.device();
    abi::ContextHandle& result = result_at(context);
    result = Contexts::instance().retain_primary();
  });
}

HEDDLE_CUDA_EXPORT Result cuDevicePrimaryCtxRelease_v2(int device) {
  return once_initialised("cuDevicePrimaryCtxRelease", [&](Session& session) {
    check_device(device);
    Contexts::instance().release_primary(session);
  });
}

HEDDLE_CUDA_EXPORT Result cuDevicePrimaryCtxReset_v2(int device) {
  return once_initialised("cuDevicePrimaryCtxReset", [&](Session& session) {
    check_device(device);
    Contexts::instance().reset_primary(session);
  });
}

HEDDLE_CUDA_EXPORT Result cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  return once_initialised("cuDevicePrimaryCtxGetState", [&](Session& session) {
    check_device(device);
    const Contexts& contexts = Contexts::instance();
    result_at(flags) = contexts.primary_flags();
    result_at(active) = contexts.primary_is_active(session) ? 1 : 0;
  });
}

HEDDLE_CUDA_EXPORT Result cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags) {
  return once_initialised("cuDevicePrimaryCtxSetFlags", [&](Session&) {
    check_device(device);
    Contexts::instance().set_primary_flags(flags);
  });
}

}  // namespace heddle::cuda::driver
