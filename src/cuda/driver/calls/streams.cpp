// The driver's calls for streams. Streams are the same as in the runtime: work completes within the
// call that starts it.

#include <type_traits>

#include "cuda/driver/call.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda::driver {
namespace {

/// CUstreamWaitValue_flags: the conditions on a value in memory that a stream can wait for.
enum class WaitCondition : unsigned { greater_or_equal = 0, equal = 1, any_bit = 2, nor = 3 };
constexpr unsigned kFlush = 1U << 30;  ///< Also flushes writes by other devices; there are none.

/// True if the value `found` in memory satisfies a condition on `value`.
template <class Value>
bool is_satisfied(Value found, Value value, unsigned condition) {
  switch (static_cast<WaitCondition>(condition)) {
    case WaitCondition::greater_or_equal:
      return static_cast<std::make_signed_t<Value>>(found - value) >= 0;
    case WaitCondition::equal:
      return found == value;
    case WaitCondition::any_bit:
      return (found & value) != 0;
    case WaitCondition::nor:
      return static_cast<Value>(~(found | value)) != 0;
  }
  throw Failure{Error::invalid_value};
}

template <class Value>
void check_address(Session& session, abi::StreamHandle stream, abi::DevicePointer address) {
  check_not_captured(session, stream);
  if (address % sizeof(Value) != 0 || !in_device_memory(pointer_at(address))) {
    throw Failure{Error::invalid_value};
  }
}

template <class Value>
Result wait_for(const char* name, abi::StreamHandle stream, abi::DevicePointer address, Value value,
                unsigned flags) {
  return in_context(name, [&](Session& session) {
    check_address<Value>(session, stream, address);
    Value found{};
    copy(session, linear_place(&found), linear_place(pointer_at(address)),
         {.row_bytes = sizeof found}, abi::CopyKind::by_address);
    if (is_satisfied(found, value, flags & ~kFlush)) return;
    throw Failure{Error::not_supported,
                  "the stream would wait forever: the condition does not hold, and Heddle "
                  "completes all work within the call that starts it"};
  });
}

template <class Value>
Result write(const char* name, abi::StreamHandle stream, abi::DevicePointer address, Value value) {
  return in_context(name, [&](Session& session) {
    check_address<Value>(session, stream, address);
    copy(session, linear_place(pointer_at(address)), linear_place(&value),
         {.row_bytes = sizeof value}, abi::CopyKind::by_address);
  });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuStreamCreateWithPriority(abi::StreamHandle* stream, unsigned flags,
                                                     int priority) {
  return in_context_beside_kernel("cuStreamCreate", [&](Session&) {
    require(cudaStreamCreateWithPriority(stream, flags, priority));
  });
}

HEDDLE_CUDA_EXPORT Result cuStreamCreate(abi::StreamHandle* stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

HEDDLE_CUDA_EXPORT Result cuStreamDestroy_v2(abi::StreamHandle stream) {
  return in_context("cuStreamDestroy", [&](Session&) { require(cudaStreamDestroy(stream)); });
}

HEDDLE_CUDA_EXPORT Result cuStreamSynchronize(abi::StreamHandle stream) {
  return in_context("cuStreamSynchronize",
                    [&](Session&) { require(cudaStreamSynchronize(stream)); });
}

HEDDLE_CUDA_EXPORT Result cuStreamQuery(abi::StreamHandle stream) {
  return in_context_beside_kernel("cuStreamQuery",
                                  [&](Session&) { require(cudaStreamQuery(stream)); });
}

HEDDLE_CUDA_EXPORT Result cuStreamWaitEvent(abi::StreamHandle stream, abi::EventHandle event,
                                            unsigned flags) {
  return in_context("cuStreamWaitEvent",
                    [&](Session&) { require(cudaStreamWaitEvent(stream, event, flags)); });
}

HEDDLE_CUDA_EXPORT Result cuStreamGetFlags(abi::StreamHandle stream, unsigned* flags) {
  return in_context("cuStreamGetFlags",
                    [&](Session&) { require(cudaStreamGetFlags(stream, flags)); });
}

HEDDLE_CUDA_EXPORT Result cuStreamGetPriority(abi::StreamHandle stream, int* priority) {
  return in_context("cuStreamGetPriority",
                    [&](Session&) { require(cudaStreamGetPriority(stream, priority)); });
}

HEDDLE_CUDA_EXPORT Result cuStreamGetId(abi::StreamHandle stream, unsigned long long* id) {
  return in_context("cuStreamGetId", [&](Session&) { require(cudaStreamGetId(stream, id)); });
}

HEDDLE_CUDA_EXPORT Result cuStreamGetDevice(abi::StreamHandle stream, int* device) {
  return in_context("cuStreamGetDevice",
                    [&](Session&) { require(cudaStreamGetDevice(stream, device)); });
}

/// Returns the current context: a stream belongs to the device, not to the context in which it was
/// created.
HEDDLE_CUDA_EXPORT Result cuStreamGetCtx(abi::StreamHandle stream, abi::ContextHandle* context) {
  return in_context("cuStreamGetCtx", [&](Session& session) {
    session.check_stream(stream);
    result_at(context) = Contexts::instance().current(session);
  });
}

HEDDLE_CUDA_EXPORT Result cuStreamGetCtx_v2(abi::StreamHandle stream, abi::ContextHandle* context,
                                            void** part_of_device) {
  const Result result = cuStreamGetCtx(stream, context);
  if (result == Result::success && part_of_device != nullptr) *part_of_device = nullptr;
  return result;
}

HEDDLE_CUDA_EXPORT Result cuStreamIsCapturing(abi::StreamHandle stream, int* status) {
  return in_context("cuStreamIsCapturing",
                    [&](Session&) { require(cudaStreamIsCapturing(stream, status)); });
}

HEDDLE_CUDA_EXPORT Result cuStreamAttachMemAsync(abi::StreamHandle stream,
                                                 abi::DevicePointer address, std::size_t bytes,
                                                 unsigned flags) {
  return in_context("cuStreamAttachMemAsync", [&](Session&) {
    require(cudaStreamAttachMemAsync(stream, pointer_at(address), bytes, flags));
  });
}

HEDDLE_CUDA_EXPORT Result cuStreamAddCallback(abi::StreamHandle stream,
                                              void (*function)(abi::StreamHandle, Result, void*),
                                              void* data, unsigned flags) {
  const Result result = in_context("cuStreamAddCallback", [&](Session& session) {
    check_not_captured(session, stream);
    if (function == nullptr || flags != 0) throw Failure{Error::invalid_value};
  });
  // All earlier work of the stream has completed. The function is called without the session's
  // mutex, so that it does not block other threads' calls.
  if (result == Result::success) function(stream, result, data);
  return result;
}

HEDDLE_CUDA_EXPORT Result cuStreamWaitValue32_v2(abi::StreamHandle stream,
                                                 abi::DevicePointer address, std::uint32_t value,
                                                 unsigned flags) {
  return wait_for("cuStreamWaitValue32", stream, address, value, flags);
}

HEDDLE_CUDA_EXPORT Result cuStreamWaitValue64_v2(abi::StreamHandle stream,
                                                 abi::DevicePointer address, std::uint64_t value,
                                                 unsigned flags) {
  return wait_for("cuStreamWaitValue64", stream, address, value, flags);
}

HEDDLE_CUDA_EXPORT Result cuStreamWriteValue32_v2(abi::StreamHandle stream,
                                                  abi::DevicePointer address, std::uint32_t value,
                                                  unsigned) {
  return write("cuStreamWriteValue32", stream, address, value);
}

HEDDLE_CUDA_EXPORT Result cuStreamWriteValue64_v2(abi::StreamHandle stream,
                                                  abi::DevicePointer address, std::uint64_t value,
                                                  unsigned) {
  return write("cuStreamWriteValue64", stream, address, value);
}

}  // namespace heddle::cuda::driver
