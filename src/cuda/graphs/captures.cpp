#include "cuda/graphs/captures.h"

#include <algorithm>
#include <unordered_set>

#include "cuda/runtime/default_streams.h"

namespace heddle::cuda::graphs {
namespace {

[[noreturn]] void invalidate(Capture& capture, Error error) {
  capture.is_valid = false;
  throw Failure{error};
}

void check_valid(const Capture& capture) {
  if (!capture.is_valid || capture.graph == nullptr) {
    throw Failure{Error::stream_capture_invalidated};
  }
}

/// The nodes of a list, and all nodes that these depend on.
std::unordered_set<const Node*> reached_from(const std::vector<Dependency>& ends) {
  std::unordered_set<const Node*> reached;
  std::vector<const Node*> rest;
  const auto visit = [&](const std::vector<Dependency>& dependencies) {
    for (const Dependency& dependency : dependencies) {
      if (reached.insert(dependency.on).second) rest.push_back(dependency.on);
    }
  };
  visit(ends);
  while (!rest.empty()) {
    const Node* const node = rest.back();
    rest.pop_back();
    visit(node->dependencies);
  }
  return reached;
}

}  // namespace

void add_missing(std::vector<Dependency>& to, const std::vector<Dependency>& from) {
  for (const Dependency& added : from) {
    const bool exists = std::any_of(to.begin(), to.end(),
                                    [&](const Dependency& entry) { return entry.on == added.on; });
    if (!exists) to.push_back(added);
  }
}

StreamKey key_of(abi::StreamHandle stream) {
  if (is_legacy(stream)) return {reinterpret_cast<const void*>(abi::kLegacyStream), {}};
  if (!is_default(stream)) return {stream, {}};
  return {reinterpret_cast<const void*>(abi::kPerThreadStream), std::this_thread::get_id()};
}

abi::CaptureMode& mode_of_thread() {
  static thread_local abi::CaptureMode mode = abi::CaptureMode::global;
  return mode;
}

CapturingStream* Captures::find(abi::StreamHandle stream) {
  if (streams_.empty()) return nullptr;
  const auto found = streams_.find(key_of(stream));
  return found == streams_.end() ? nullptr : &found->second;
}

void Captures::check_legacy(abi::StreamHandle stream, bool invalidates) {
  if (!is_legacy(stream)) return;
  bool conflicts = false;
  for (auto& [key, capturing] : streams_) {
    if (!capturing.is_blocking) continue;
    conflicts = true;
    if (invalidates) capturing.capture->is_valid = false;
  }
  if (conflicts) throw Failure{Error::stream_capture_implicit};
}

void Captures::begin(Registry& registry, Beginning beginning) {
  if (is_legacy(beginning.stream)) throw Failure{Error::stream_capture_unsupported};
  if (find(beginning.stream) != nullptr) throw Failure{Error::illegal_state};
  auto capture = std::make_shared<Capture>();
  capture->id = ++last_id_;
  capture->mode = beginning.mode;
  capture->thread = std::this_thread::get_id();
  capture->origin = key_of(beginning.stream);
  capture->graph = beginning.graph;
  if (beginning.graph == nullptr) {
    capture->owned = std::make_unique<Graph>(registry);
    capture->graph = capture->owned.get();
  }
  CapturingStream& stream = streams_[capture->origin];
  stream.next = std::move(beginning.dependencies);
  stream.is_blocking = beginning.is_blocking;
  stream.capture = std::move(capture);
}

Captures::Ended Captures::end(abi::StreamHandle stream) {
  CapturingStream* const ending = find(stream);
  if (ending == nullptr) throw Failure{Error::illegal_state};
  const std::shared_ptr<Capture> capture = ending->capture;
  if (capture->origin != key_of(stream)) invalidate(*capture, Error::stream_capture_unmatched);
  if (capture->mode != abi::CaptureMode::relaxed && capture->thread != std::this_thread::get_id()) {
    throw Failure{Error::stream_capture_wrong_thread};
  }
  bool is_joined = true;
  if (capture->is_valid && capture->graph != nullptr) {
    const std::unordered_set<const Node*> joined = reached_from(ending->next);
    for (const auto& entry : streams_) {
      if (entry.second.capture != capture) continue;
      for (const Dependency& last : entry.second.next) {
        if (!joined.contains(last.on)) is_joined = false;
      }
    }
  }
  std::erase_if(streams_, [&](const auto& entry) { return entry.second.capture == capture; });
  std::erase_if(events_, [&](const auto& entry) { return entry.second.capture == capture; });
  check_valid(*capture);
  if (!is_joined) throw Failure{Error::stream_capture_unjoined};
  return {.graph = capture->graph, .owned = std::move(capture->owned)};
}

CapturingStream* Captures::query(abi::StreamHandle stream) {
  check_legacy(stream, false);
  return find(stream);
}

bool Captures::captures(abi::StreamHandle stream) {
  if (streams_.empty()) return false;
  check_legacy(stream, true);
  const CapturingStream* const capturing = find(stream);
  if (capturing != nullptr) check_valid(*capturing->capture);
  return capturing != nullptr;
}

Node& Captures::add(abi::StreamHandle stream, Work work) {
  CapturingStream& capturing = *find(stream);
  Node& node = capturing.capture->graph->add(std::move(work), capturing.next);
  capturing.next = {{.on = &node, .data = {}}};
  return node;
}

void Captures::refuse(abi::StreamHandle stream) {
  if (captures(stream)) invalidate(*find(stream)->capture, Error::stream_capture_unsupported);
}

void Captures::refuse_all() {
  if (streams_.empty()) return;
  for (auto& entry : streams_) entry.second.capture->is_valid = false;
  throw Failure{Error::stream_capture_unsupported};
}

bool Captures::is_prohibited_by(const Capture& capture) const {
  if (capture.thread == std::this_thread::get_id()) {
    return capture.mode != abi::CaptureMode::relaxed;
  }
  return mode_of_thread() == abi::CaptureMode::global && capture.mode == abi::CaptureMode::global;
}

void Captures::check_unsafe() {
  if (streams_.empty() || mode_of_thread() == abi::CaptureMode::relaxed) return;
  bool is_prohibited = false;
  for (auto& entry : streams_) {
    Capture& capture = *entry.second.capture;
    if (!is_prohibited_by(capture)) continue;
    is_prohibited = true;
    capture.is_valid = false;
  }
  if (is_prohibited) throw Failure{Error::stream_capture_unsupported};
}

bool Captures::record(abi::EventHandle event, abi::StreamHandle stream) {
  if (!captures(stream)) {
    events_.erase(event);
    return false;
  }
  const CapturingStream& capturing = *find(stream);
  events_[event] = {.capture = capturing.capture, .nodes = capturing.next};
  return true;
}

void Captures::wait(abi::StreamHandle stream, abi::EventHandle event, bool is_blocking) {
  const bool is_capturing = captures(stream);
  const auto recorded = events_.find(event);
  if (recorded == events_.end()) {
    if (is_capturing) invalidate(*find(stream)->capture, Error::stream_capture_isolation);
    return;
  }
  Capture& capture = *recorded->second.capture;
  check_valid(capture);
  if (is_legacy(stream)) invalidate(capture, Error::stream_capture_implicit);
  if (!is_capturing) {
    streams_[key_of(stream)] = {.capture = recorded->second.capture,
                                .next = recorded->second.nodes,
                                .is_blocking = is_blocking};
    return;
  }
  CapturingStream& capturing = *find(stream);
  if (capturing.capture != recorded->second.capture) {
    capture.is_valid = false;
    invalidate(*capturing.capture, Error::stream_capture_merge);
  }
  add_missing(capturing.next, recorded->second.nodes);
}

void Captures::check_event(abi::EventHandle event) {
  const auto recorded = events_.find(event);
  if (recorded != events_.end()) invalidate(*recorded->second.capture, Error::captured_event);
}

void Captures::forget(abi::StreamHandle stream) {
  const CapturingStream* const capturing = find(stream);
  if (capturing == nullptr) return;
  const std::shared_ptr<Capture> capture = capturing->capture;
  if (capture->origin == key_of(stream)) {
    // Nothing can end the sequence any more.
    std::erase_if(streams_, [&](const auto& entry) { return entry.second.capture == capture; });
    std::erase_if(events_, [&](const auto& entry) { return entry.second.capture == capture; });
  } else {
    streams_.erase(key_of(stream));
    capture->is_valid = false;
  }
}

void Captures::forget(const Node& node) {
  for (auto& entry : streams_) erase_node(entry.second.next, node);
  for (auto& entry : events_) erase_node(entry.second.nodes, node);
}

void Captures::forget(const Graph& graph) {
  for (const std::unique_ptr<Node>& node : graph.nodes()) forget(*node);
  for (auto& entry : streams_) {
    if (entry.second.capture->graph == &graph) entry.second.capture->graph = nullptr;
  }
}

void Captures::clear() {
  streams_.clear();
  events_.clear();
}

}  // namespace heddle::cuda::graphs
