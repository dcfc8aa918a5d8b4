// The driver's calls for initialisation, version, errors, profiling and addresses of functions.

#include "cuda/driver/call.h"
#include "cuda/driver/procedures.h"

namespace heddle::cuda::driver {

HEDDLE_CUDA_EXPORT Result cuInit(unsigned flags) {
  return at_any_time("cuInit", [&](Session& session) {
    if (flags != 0) throw Failure{Error::invalid_value};
    session.simulation();  // Errors in the machine's description are reported now.
    session.driver_is_initialised = true;
  });
}

HEDDLE_CUDA_EXPORT Result cuDriverGetVersion(int* version) {
  return at_any_time("cuDriverGetVersion",
                     [&](Session&) { require(cudaDriverGetVersion(version)); });
}

HEDDLE_CUDA_EXPORT Result cuGetErrorName(Result result, const char** name) {
  return at_any_time("cuGetErrorName", [&](Session&) {
    result_at(name) = name_of(result);
    if (*name == nullptr) throw Failure{Error::invalid_value};
  });
}

HEDDLE_CUDA_EXPORT Result cuGetErrorString(Result result, const char** text) {
  return at_any_time("cuGetErrorString", [&](Session&) {
    result_at(text) = text_of(result);
    if (*text == nullptr) throw Failure{Error::invalid_value};
  });
}

/// The profiler's calls have no effect: launches are always counted.
HEDDLE_CUDA_EXPORT Result cuProfilerStart() {
  return in_context("cuProfilerStart", [](Session&) {});
}

HEDDLE_CUDA_EXPORT Result cuProfilerStop() {
  return in_context("cuProfilerStop", [](Session&) {});
}

HEDDLE_CUDA_EXPORT Result cuProfilerInitialize(const char*, const char*, int) {
  return in_context("cuProfilerInitialize", [](Session&) {});
}

HEDDLE_CUDA_EXPORT Result cuGetProcAddress_v2(const char* name, void** address, int version,
                                              std::uint64_t flags, ProcedureStatus* status) {
  return at_any_time("cuGetProcAddress", [&](Session&) {
    if (name == nullptr || version < 0) throw Failure{Error::invalid_value};
    const Procedure found = find_procedure(name, version, requests_per_thread_streams(flags));
    result_at(address) = found.address;
    if (status != nullptr) *status = found.status;
    // Without `status`, the result reports that the function was not found.
    if (found.address == nullptr && status == nullptr) throw Failure{Error::symbol_not_found};
  });
}

HEDDLE_CUDA_EXPORT Result cuGetProcAddress(const char* name, void** address, int version,
                                           std::uint64_t flags) {
  return cuGetProcAddress_v2(name, address, version, flags, nullptr);
}

}  // namespace heddle::cuda::driver
