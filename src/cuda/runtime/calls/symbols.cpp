// The runtime's calls for the variables of a program's device code.

#include "cuda/runtime/symbols.h"

#include "cuda/runtime/call.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda {

LinearPlace part_of(Session& session, const void* variable, std::size_t bytes, std::size_t offset) {
  const device::Symbol symbol = session.modules.variable(variable, session.device());
  if (offset > symbol.bytes || bytes > symbol.bytes - offset) throw Failure{Error::invalid_value};
  return linear_place(session.device().memory().host(symbol.address + offset));
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyToSymbolAsync(const void* variable, const void* from,
                                                 std::size_t bytes, std::size_t offset,
                                                 abi::CopyKind kind, abi::StreamHandle stream) {
  return call("cudaMemcpyToSymbol", [&](Session& session) {
    if (kind == abi::CopyKind::device_to_host) throw Failure{Error::invalid_copy_direction};
    enqueue_copy(session, stream, part_of(session, variable, bytes, offset), linear_place(from),
                 {.row_bytes = bytes}, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyToSymbol(const void* variable, const void* from,
                                            std::size_t bytes, std::size_t offset,
                                            abi::CopyKind kind) {
  return cudaMemcpyToSymbolAsync(variable, from, bytes, offset, kind, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyFromSymbolAsync(void* to, const void* variable,
                                                   std::size_t bytes, std::size_t offset,
                                                   abi::CopyKind kind, abi::StreamHandle stream) {
  return call("cudaMemcpyFromSymbol", [&](Session& session) {
    if (kind == abi::CopyKind::host_to_device) throw Failure{Error::invalid_copy_direction};
    enqueue_copy(session, stream, linear_place(to), part_of(session, variable, bytes, offset),
                 {.row_bytes = bytes}, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyFromSymbol(void* to, const void* variable, std::size_t bytes,
                                              std::size_t offset, abi::CopyKind kind) {
  return cudaMemcpyFromSymbolAsync(to, variable, bytes, offset, kind, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaGetSymbolAddress(void** pointer, const void* variable) {
  return call("cudaGetSymbolAddress", [&](Session& session) {
    result_at(pointer) = part_of(session, variable, 0, 0).base;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetSymbolSize(std::size_t* bytes, const void* variable) {
  return call("cudaGetSymbolSize", [&](Session& session) {
    result_at(bytes) = session.modules.variable(variable, session.device()).bytes;
  });
}

}  // namespace heddle::cuda
