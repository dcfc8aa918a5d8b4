#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "cuda/graphs/graph.h"
#include "cuda/runtime/error.h"

namespace heddle::cuda::graphs {

/// An executable graph: a copy of a graph that can be launched.
struct Executable {
  std::unique_ptr<Graph> graph;
  unsigned long long flags = 0;
  /// Launches of one executable graph are executed one after the other. Must be locked before the
  /// session's mutex.
  std::mutex launch_mutex{};
  std::atomic<std::thread::id> launching_thread{};  ///< The thread that has locked launch_mutex.
};

/// The reason why a graph cannot be instantiated.
struct InstantiationProblem {
  abi::InstantiateResult result = abi::InstantiateResult::success;
  const Node* node = nullptr;
};

/// Creates an executable graph. Returns null and describes the problem if the graph is invalid.
std::shared_ptr<Executable> instantiate(const Graph& graph, unsigned long long flags,
                                        InstantiationProblem& problem);
/// The node of an executable graph that was copied from a node of the program. Throws Failure if
/// there is none.
Node& node_of(const Executable& executable, const Node& original);

/// Gives the nodes of an executable graph the parameters of a graph of the same structure. Changes
/// nothing and returns the reason if that is not possible.
abi::UpdateInfo update(Graph& executed, const Graph& graph);
/// Replaces the work of a node of an executable graph. Throws Failure if CUDA does not permit the
/// change.
void replace_work(Node& executed, Work work);

/// Executes an executable graph: its nodes one after the other, in an order of their dependencies.
/// Must be called without locking the session's mutex, because host nodes call functions of the
/// program. `name` is the CUDA function in messages.
Error run(const char* name, Executable& executable) noexcept;

}  // namespace heddle::cuda::graphs
