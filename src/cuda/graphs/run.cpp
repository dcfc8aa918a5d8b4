// Executes executable graphs.

#include <span>

#include "cuda/graphs/executable.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/copy_3d.h"
#include "cuda/runtime/fills.h"

namespace heddle::cuda::graphs {
namespace {

/// True if a kernel has failed.
bool has_fault(Session& session) {
  try {
    session.check();
    return false;
  } catch (const Failure&) {
    return true;
  }
}

/// Unlocks the session's mutex while an object of this class exists.
class Unlocked {
 public:
  explicit Unlocked(Session& session) : session_(session) { session_.mutex.unlock(); }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() { session_.mutex.lock(); }

 private:
  Session& session_;
};

std::uint32_t value_of(Session& session, const Condition& condition) {
  std::uint32_t value = 0;
  session.device().copy_from_device(std::as_writable_bytes(std::span(&value, 1)),
                                    condition.address);
  return value;
}

/// True if a graph contains a kernel, which may change a condition.
bool has_kernel(const Graph& graph) {
  bool found = false;
  graph.for_each([&](const Node& node) {
    if (std::holds_alternative<KernelWork>(node.work)) found = true;
  });
  return found;
}

/// One launch of an executable graph.
class Run {
 public:
  explicit Run(Session& session) : session_(session) {}

  void operator()(Graph& graph) {
    if (graph.launch_order.empty()) graph.launch_order = graph.in_dependence_order();
    for (Node* const node : graph.launch_order) {
      if (has_fault(session_)) return;
      if (node->is_enabled) std::visit(*this, node->work);
    }
  }
  void operator()(KernelWork& work) {
    parameters_of(work);
    session_.launch({.function = &session_.modules.function(work.function),
                     .grid = work.grid,
                     .block = work.block,
                     .arguments = work.pointers.data(),
                     .dynamic_shared_bytes = work.dynamic_shared_bytes,
                     .cooperative = work.is_cooperative()});
  }
  void operator()(const CopyWork& work) { copy_3d(session_, work.copy); }
  void operator()(const FillWork& work) { fill(session_, work.fill); }
  void operator()(const HostWork& work) {
    const abi::HostNode host = work.host;  // An update may change the node meanwhile.
    const Unlocked unlocked(session_);
    host.function(host.data);
  }
  void operator()(const ChildWork& work) { (*this)(*work.graph); }
  void operator()(const EmptyWork&) {}
  void operator()(const WaitWork& work) { session_.events.get(work.event); }
  void operator()(const RecordWork& work) {
    session_.record(session_.events.get(work.event), nullptr);
  }
  void operator()(const AllocateWork& work) { allocate_memory(session_, work.memory); }
  void operator()(const FreeWork& work) {
    const std::shared_ptr<GraphMemory> memory = memory_at(session_, work.pointer);
    if (memory == nullptr) throw Failure{Error::invalid_value};
    free_memory(session_, *memory);
  }
  void operator()(const ConditionalWork& work) {
    std::uint32_t value = value_of(session_, *work.condition);
    switch (work.kind) {
      case abi::ConditionalKind::if_else:
        if (value != 0)
          (*this)(*work.bodies.front());
        else if (work.bodies.size() > 1)
          (*this)(*work.bodies[1]);
        return;
      case abi::ConditionalKind::switch_case:
        if (value < work.bodies.size()) (*this)(*work.bodies[value]);
        return;
      case abi::ConditionalKind::while_loop:
        break;
    }
    if (value != 0 && !has_kernel(*work.bodies.front())) {
      throw Failure{Error::launch_timeout,
                    "a while node would repeat forever: its body has no kernel that could change "
                    "the condition"};
    }
    while (value != 0 && !has_fault(session_)) {
      (*this)(*work.bodies.front());
      if (!has_fault(session_)) value = value_of(session_, *work.condition);
    }
  }

 private:
  Session& session_;
};

/// Gives conditions their default values. Frees the memory that earlier launches have allocated, or
/// throws Failure if the graph does not free it automatically.
void prepare(Session& session, const Executable& executable) {
  const auto visit = [&](const Node& node) {
    if (const auto* const allocation = std::get_if<AllocateWork>(&node.work)) {
      if (!allocation->memory->is_allocated) return;
      if ((executable.flags & abi::kAutoFree) == 0) throw Failure{Error::invalid_value};
      free_memory(session, *allocation->memory);
    } else if (const auto* const conditional = std::get_if<ConditionalWork>(&node.work)) {
      const Condition& condition = *conditional->condition;
      if (!condition.has_default) return;
      session.device().copy_to_device(condition.address,
                                      std::as_bytes(std::span(&condition.default_value, 1)));
    }
  };
  executable.graph->for_each(visit);
}

}  // namespace

Error run(const char* name, Executable& executable) noexcept {
  try {
    if (executable.launching_thread == std::this_thread::get_id()) {
      return call(name, [](Session&) {
        throw Failure{Error::not_permitted, "a host function of a graph cannot launch the graph"};
      });
    }
    const std::scoped_lock lock(executable.launch_mutex);
    executable.launching_thread = std::this_thread::get_id();
    const Error error = call(name, [&](Session& session) {
      prepare(session, executable);
      Run{session}(*executable.graph);
    });
    executable.launching_thread = std::thread::id{};
    return error;
  } catch (...) {
    return record_failure(name);
  }
}

}  // namespace heddle::cuda::graphs
