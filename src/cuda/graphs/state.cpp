#include "cuda/graphs/state.h"

#include <algorithm>

#include "cuda/runtime/session.h"

namespace heddle::cuda::graphs {

abi::GraphHandle State::add(std::unique_ptr<Graph> graph) {
  const abi::GraphHandle handle = handle_of(*graph);
  const Graph* const key = graph.get();
  graphs[key] = std::move(graph);
  return handle;
}

const std::shared_ptr<Executable>& State::executable(abi::ExecutableHandle handle) const {
  const auto found = executables.find(handle);
  if (found == executables.end()) throw Failure{Error::invalid_value};
  return found->second;
}

const std::shared_ptr<UserObject>& State::user_object(abi::UserObjectHandle handle) const {
  const auto found = user_objects.find(handle);
  if (found == user_objects.end()) throw Failure{Error::invalid_value};
  return found->second;
}

void State::forget_user_objects() {
  std::erase_if(user_objects, [](const auto& entry) {
    return entry.second->own_references + entry.second->graph_references == 0;
  });
}

void State::clear() {
  captures.clear();
  executables.clear();
  graphs.clear();
  kept_memory.clear();
  memory.clear();
  conditions.clear();
  user_objects.clear();
  used_bytes = most_used_bytes = reserved_bytes = most_reserved_bytes = 0;
}

void allocate_memory(Session& session, const std::shared_ptr<GraphMemory>& memory) {
  if (memory->is_allocated) throw Failure{Error::invalid_value};
  State& state = session.graphs;
  memory->is_allocated = true;
  state.kept_memory[memory->address] = memory;
  state.used_bytes += memory->bytes;
  state.most_used_bytes = std::max(state.most_used_bytes, state.used_bytes);
}

void free_memory(Session& session, GraphMemory& memory) {
  if (!memory.is_allocated) throw Failure{Error::invalid_value};
  State& state = session.graphs;
  memory.is_allocated = false;
  state.used_bytes -= memory.bytes;
  state.kept_memory.erase(memory.address);  // May destroy `memory`.
}

std::shared_ptr<GraphMemory> memory_at(Session& session, const void* pointer) {
  State& state = session.graphs;
  const auto found = state.memory.find(reinterpret_cast<std::uint64_t>(pointer));
  if (found == state.memory.end()) return nullptr;
  std::shared_ptr<GraphMemory> memory = found->second.lock();
  if (memory == nullptr) state.memory.erase(found);
  return memory;
}

}  // namespace heddle::cuda::graphs
