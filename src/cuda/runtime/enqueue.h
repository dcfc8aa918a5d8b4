#pragma once

// Work that a program gives to a stream. It is executed at once, or, if the stream captures, added
// to a graph.

#include "cuda/graphs/abi.h"
#include "cuda/runtime/row_copies.h"

namespace heddle::cuda {

/// True if the stream captures, so that its work must be added to a graph. Throws Failure for an
/// invalid stream or capture.
bool is_captured(Session& session, abi::StreamHandle stream);
/// Throws Failure for an invalid stream, and for one that captures: the call cannot be captured.
void check_not_captured(Session& session, abi::StreamHandle stream);

void enqueue_copy(Session& session, abi::StreamHandle stream, const CopyPlace& to,
                  const CopyPlace& from, const CopyVolume& volume, abi::CopyKind kind);
void enqueue_copy(Session& session, abi::StreamHandle stream, const abi::Copy3D& copy);
void enqueue_fill(Session& session, abi::StreamHandle stream, const LinearPlace& to, int value,
                  const CopyVolume& volume);
void enqueue_fill(Session& session, abi::StreamHandle stream, const abi::Fill& requested);
/// Adds a function of the program to a graph. Returns false if the stream does not capture: the
/// caller must then call the function, without locking the session's mutex.
bool capture_host_function(Session& session, abi::StreamHandle stream, abi::HostFunction function,
                           void* data);

}  // namespace heddle::cuda
