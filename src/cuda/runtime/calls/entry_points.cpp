// The runtime's calls that return the addresses of the driver's functions.

#include "cuda/driver/procedures.h"
#include "cuda/runtime/call.h"

namespace heddle::cuda {

HEDDLE_CUDA_EXPORT Error cudaGetDriverEntryPointByVersion(const char* name, void** address,
                                                          unsigned version,
                                                          unsigned long long flags,
                                                          driver::ProcedureStatus* status) {
  return call("cudaGetDriverEntryPoint", [&](Session&) {
    if (name == nullptr) throw Failure{Error::invalid_value};
    const driver::Procedure found = driver::find_procedure(
        name, static_cast<int>(version), driver::requests_per_thread_streams(flags));
    result_at(address) = found.address;
    if (status != nullptr) *status = found.status;
    // Without `status`, the result reports that the function was not found.
    if (found.address == nullptr && status == nullptr) throw Failure{Error::symbol_not_found};
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetDriverEntryPoint(const char* name, void** address,
                                                 unsigned long long flags,
                                                 driver::ProcedureStatus* status) {
  return cudaGetDriverEntryPointByVersion(name, address, abi::kVersion, flags, status);
}

}  // namespace heddle::cuda
