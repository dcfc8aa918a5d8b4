// The runtime's calls for streams and events. Work completes within the call that starts it, unless
// the stream captures or a kernel waits for the host (launch_beside_host.h). CUDA's rules for
// streams allow this order.

#include "cuda/runtime/call.h"
#include "cuda/runtime/default_streams.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda {
namespace {

constexpr std::uint32_t kDisableTiming = 2;  ///< A flag of events.
constexpr std::uint32_t kMaxEventFlags = 7;  ///< All flags of events.

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaStreamCreateWithPriority(abi::StreamHandle* stream, unsigned flags,
                                                      int priority) {
  return call_beside_kernel("cudaStreamCreateWithPriority", [&](Session& session) {
    if (flags > Stream::kNonBlocking) throw Failure{Error::invalid_value};
    auto object = std::make_unique<Stream>();
    *object = {.flags = flags, .priority = priority, .id = ++session.last_stream_id};
    abi::StreamHandle& result = result_at(stream);
    result = session.streams.add(std::move(object));
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamCreateWithFlags(abi::StreamHandle* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

HEDDLE_CUDA_EXPORT Error cudaStreamCreate(abi::StreamHandle* stream) {
  return cudaStreamCreateWithPriority(stream, 0, 0);
}

HEDDLE_CUDA_EXPORT Error cudaStreamDestroy(abi::StreamHandle stream) {
  return call("cudaStreamDestroy", [&](Session& session) {
    session.streams.remove(stream);
    session.graphs.captures.forget(stream);
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamSynchronize(abi::StreamHandle stream) {
  return call("cudaStreamSynchronize",
              [&](Session& session) { check_not_captured(session, stream); });
}

HEDDLE_CUDA_EXPORT Error cudaStreamQuery(abi::StreamHandle stream) {
  return call_beside_kernel("cudaStreamQuery", [&](Session& session) {
    check_not_captured(session, stream);
    if (session.is_busy(stream)) throw Failure{Error::not_ready};
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamWaitEvent(abi::StreamHandle stream, abi::EventHandle event,
                                             unsigned flags) {
  return call("cudaStreamWaitEvent", [&](Session& session) {
    session.check_stream(stream);
    session.events.get(event);
    graphs::Captures& captures = session.graphs.captures;
    if (flags != abi::kExternalEvent) {
      captures.wait(stream, event, session.is_blocking(stream));
    } else if (captures.captures(stream)) {
      captures.add(stream, graphs::wait_work(session, event));
    }
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamGetFlags(abi::StreamHandle stream, unsigned* flags) {
  return call_beside_kernel("cudaStreamGetFlags", [&](Session& session) {
    result_at(flags) = is_default(stream) ? 0 : session.streams.get(stream).flags;
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamGetPriority(abi::StreamHandle stream, int* priority) {
  return call_beside_kernel("cudaStreamGetPriority", [&](Session& session) {
    result_at(priority) = is_default(stream) ? 0 : session.streams.get(stream).priority;
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamGetId(abi::StreamHandle stream, unsigned long long* id) {
  return call_beside_kernel("cudaStreamGetId", [&](Session& session) {
    result_at(id) = is_default(stream) ? 0 : session.streams.get(stream).id;
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamGetDevice(abi::StreamHandle stream, int* device) {
  return call_beside_kernel("cudaStreamGetDevice", [&](Session& session) {
    session.check_stream(stream);
    result_at(device) = 0;
  });
}

/// The call has no effect: host and device share all memory.
HEDDLE_CUDA_EXPORT Error cudaStreamAttachMemAsync(abi::StreamHandle stream, void*, std::size_t,
                                                  unsigned) {
  return call("cudaStreamAttachMemAsync",
              [&](Session& session) { check_not_captured(session, stream); });
}

HEDDLE_CUDA_EXPORT Error cudaStreamAddCallback(abi::StreamHandle stream,
                                               void (*function)(abi::StreamHandle, Error, void*),
                                               void* data, unsigned flags) {
  const Error error = call("cudaStreamAddCallback", [&](Session& session) {
    check_not_captured(session, stream);
    if (function == nullptr || flags != 0) throw Failure{Error::invalid_value};
  });
  if (error == Error::success) function(stream, error, data);
  return error;
}

HEDDLE_CUDA_EXPORT Error cudaEventCreateWithFlags(abi::EventHandle* event, unsigned flags) {
  return call_beside_kernel("cudaEventCreateWithFlags", [&](Session& session) {
    if (flags > kMaxEventFlags) throw Failure{Error::invalid_value};
    auto object = std::make_unique<Event>();
    object->flags = flags;
    abi::EventHandle& result = result_at(event);
    result = session.events.add(std::move(object));
  });
}

HEDDLE_CUDA_EXPORT Error cudaEventCreate(abi::EventHandle* event) {
  return cudaEventCreateWithFlags(event, 0);
}

HEDDLE_CUDA_EXPORT Error cudaEventDestroy(abi::EventHandle event) {
  return call("cudaEventDestroy", [&](Session& session) {
    session.events.remove(event);
    session.graphs.captures.forget(event);
  });
}

HEDDLE_CUDA_EXPORT Error cudaEventRecordWithFlags(abi::EventHandle event, abi::StreamHandle stream,
                                                  unsigned flags) {
  return call_beside_kernel("cudaEventRecord", [&](Session& session) {
    session.check_stream(stream);
    Event& object = session.events.get(event);
    graphs::Captures& captures = session.graphs.captures;
    if (flags == abi::kExternalEvent && captures.captures(stream)) {
      captures.add(stream, graphs::record_work(session, event));
      return;
    }
    if (captures.record(event, stream)) return;
    session.record(object, stream);
  });
}

HEDDLE_CUDA_EXPORT Error cudaEventRecord(abi::EventHandle event, abi::StreamHandle stream) {
  return cudaEventRecordWithFlags(event, stream, 0);
}

HEDDLE_CUDA_EXPORT Error cudaEventSynchronize(abi::EventHandle event) {
  return call("cudaEventSynchronize", [&](Session& session) {
    session.events.get(event);
    session.graphs.captures.check_event(event);
  });
}

HEDDLE_CUDA_EXPORT Error cudaEventQuery(abi::EventHandle event) {
  return call_beside_kernel("cudaEventQuery", [&](Session& session) {
    const Event& queried = session.events.get(event);
    session.graphs.captures.check_event(event);
    session.graphs.captures.check_unsafe();
    if (queried.recorded && !*queried.recorded) throw Failure{Error::not_ready};
  });
}

HEDDLE_CUDA_EXPORT Error cudaEventElapsedTime(float* milliseconds, abi::EventHandle begin,
                                              abi::EventHandle end) {
  return call("cudaEventElapsedTime", [&](Session& session) {
    const Event& first = session.events.get(begin);
    const Event& second = session.events.get(end);
    if (!first.recorded || !second.recorded ||
        ((first.flags | second.flags) & kDisableTiming) != 0) {
      throw Failure{Error::invalid_resource_handle};
    }
    result_at(milliseconds) = static_cast<float>(1e3 * (**second.recorded - **first.recorded));
  });
}

}  // namespace heddle::cuda
