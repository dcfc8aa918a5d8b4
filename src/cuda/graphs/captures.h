#pragma once

// Stream capture: while a stream captures, its work is not executed but added to a graph. CUDA's
// programming guide describes the rules, in its section on stream capture.

#include <cstdint>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "cuda/graphs/graph.h"
#include "cuda/runtime/error.h"

namespace heddle::cuda::graphs {

/// A stream, and the thread to which it belongs if it is a per-thread default stream.
using StreamKey = std::pair<const void*, std::thread::id>;
StreamKey key_of(abi::StreamHandle stream);

/// A capture sequence: one graph, to which several streams may add work.
struct Capture {
  std::uint64_t id = 0;
  abi::CaptureMode mode = abi::CaptureMode::global;
  std::thread::id thread{};        ///< The thread that began the sequence.
  StreamKey origin{};              ///< The stream in which the sequence began, and must end.
  Graph* graph = nullptr;          ///< Null: the graph has been destroyed.
  std::unique_ptr<Graph> owned{};  ///< The graph, unless it is one of the program.
  bool is_valid = true;            ///< False after an operation that is not permitted.
};

/// A stream that captures.
struct CapturingStream {
  std::shared_ptr<Capture> capture{};
  std::vector<Dependency> next{};  ///< The dependencies of the stream's next node.
  bool is_blocking = true;         ///< The stream synchronises with the legacy default stream.
  std::vector<abi::NodeHandle> reported_nodes{};  ///< The last result of cudaStreamGetCaptureInfo.
  std::vector<abi::EdgeData> reported_data{};
};

/// Adds those of some dependencies that a list lacks.
void add_missing(std::vector<Dependency>& to, const std::vector<Dependency>& from);

/// The mode of the calling thread (cudaThreadExchangeStreamCaptureMode).
abi::CaptureMode& mode_of_thread();

/// All capture sequences of a process. Functions throw Failure with CUDA's errors. As in CUDA, an
/// operation that is not permitted invalidates the sequences that it concerns.
class Captures {
 public:
  struct Beginning {
    abi::StreamHandle stream = nullptr;
    abi::CaptureMode mode = abi::CaptureMode::global;
    bool is_blocking = true;
    Graph* graph = nullptr;  ///< Null: the capture creates a graph.
    std::vector<Dependency> dependencies{};
  };
  void begin(Registry& registry, Beginning beginning);
  struct Ended {
    Graph* graph = nullptr;
    std::unique_ptr<Graph> owned{};
  };
  Ended end(abi::StreamHandle stream);

  /// The stream's state; null if it does not capture. Throws Failure for the legacy default stream
  /// if a capturing stream would have to synchronise with it. Invalidates nothing.
  CapturingStream* query(abi::StreamHandle stream);
  /// True if work that the stream is given must be captured. Throws Failure if the capture is
  /// invalid, or if the work would make the legacy default stream depend on a capture.
  bool captures(abi::StreamHandle stream);
  /// Adds work to the graph that the stream captures.
  Node& add(abi::StreamHandle stream, Work work);
  /// Called for an operation on a stream that cannot be captured. Throws Failure if it captures.
  void refuse(abi::StreamHandle stream);
  /// Called for an operation that waits for the whole device.
  void refuse_all();
  /// Called for an operation that CUDA calls potentially unsafe: it does not belong to a stream and
  /// would not be part of the graph.
  void check_unsafe();

  /// Records an event in a stream. Returns true if the stream captures.
  bool record(abi::EventHandle event, abi::StreamHandle stream);
  /// Makes a stream wait for an event. The stream becomes part of the event's capture.
  void wait(abi::StreamHandle stream, abi::EventHandle event, bool is_blocking);
  /// Called for an operation of the host on an event. Throws Failure if the event was last recorded
  /// in a capturing stream.
  void check_event(abi::EventHandle event);
  /// True if a capture sequence recorded the event last.
  bool is_captured(abi::EventHandle event) const { return events_.contains(event); }

  // The following are called when a program destroys an object.
  void forget(abi::EventHandle event) { events_.erase(event); }
  void forget(abi::StreamHandle stream);
  void forget(const Node& node);
  void forget(const Graph& graph);
  void clear();

 private:
  struct RecordedEvent {
    std::shared_ptr<Capture> capture{};
    std::vector<Dependency> nodes{};
  };
  CapturingStream* find(abi::StreamHandle stream);
  /// Throws Failure for the legacy default stream if a blocking stream captures. The captures
  /// become invalid if `invalidates`.
  void check_legacy(abi::StreamHandle stream, bool invalidates);
  bool is_prohibited_by(const Capture& capture) const;

  std::uint64_t last_id_ = 0;
  std::map<StreamKey, CapturingStream> streams_;
  std::map<const void*, RecordedEvent> events_;  ///< By handle. Only those of ongoing captures.
};

}  // namespace heddle::cuda::graphs
