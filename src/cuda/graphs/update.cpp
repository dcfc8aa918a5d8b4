// Updates of executable graphs.

#include <unordered_map>
#include <unordered_set>

#include "cuda/graphs/executable.h"
#include "cuda/runtime/copy_3d.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::graphs {
namespace {

using abi::UpdateResult;

bool is_multidimensional(const abi::Extent& extent) {
  return extent.height > 1 || extent.depth > 1;
}

bool same_shape(const abi::Fill& one, const abi::Fill& other) {
  return one.width == other.width && one.height == other.height && one.pitch == other.pitch &&
         one.element_bytes == other.element_bytes;
}

/// The reason why a node's work cannot become other work of the same type, in an update of the
/// whole graph.
UpdateResult change(const Work& from, const Work& to) {
  if (const auto* const kernel = std::get_if<KernelWork>(&from)) {
    return kernel->is_cooperative() == std::get<KernelWork>(to).is_cooperative()
               ? UpdateResult::success
               : UpdateResult::attributes_changed;
  }
  bool is_possible = true;
  if (const auto* const copy = std::get_if<CopyWork>(&from)) {
    is_possible = have_same_memory(Session::instance(), copy->copy, std::get<CopyWork>(to).copy);
  } else if (const auto* const fill = std::get_if<FillWork>(&from)) {
    const abi::Fill& changed = std::get<FillWork>(to).fill;
    is_possible =
        same_shape(fill->fill, changed) || (fill->fill.height == 1 && changed.height == 1);
  } else if (const auto* const allocation = std::get_if<AllocateWork>(&from)) {
    is_possible = allocation->memory == std::get<AllocateWork>(to).memory;
  } else if (const auto* const free = std::get_if<FreeWork>(&from)) {
    is_possible = free->pointer == std::get<FreeWork>(to).pointer;
  } else if (const auto* const conditional = std::get_if<ConditionalWork>(&from)) {
    const auto& changed = std::get<ConditionalWork>(to);
    is_possible =
        conditional->kind == changed.kind && conditional->bodies.size() == changed.bodies.size();
  }
  return is_possible ? UpdateResult::success : UpdateResult::parameters_changed;
}

/// Pairs the nodes of an executable graph with those of a graph: the nodes without dependents in
/// order of creation, and the other nodes by the order of dependencies.
class Pairing {
 public:
  Pairing(Graph& executed, const Graph& graph) {
    if (executed.nodes().size() != graph.nodes().size()) {
      problem_.result = UpdateResult::topology_changed;
      return;
    }
    const std::vector<Node*> exits = exits_of(executed), other_exits = exits_of(graph);
    for (std::size_t i = 0; i < other_exits.size() && is_possible(); ++i) {
      if (i >= exits.size()) {
        refuse(UpdateResult::topology_changed, *other_exits[i]);
      } else {
        pair_all(*exits[i], *other_exits[i]);
      }
    }
    if (is_possible() && pairs_.size() != executed.nodes().size()) {
      problem_.result = UpdateResult::topology_changed;
    }
  }

  bool is_possible() const { return problem_.result == UpdateResult::success; }
  const abi::UpdateInfo& problem() const { return problem_; }
  /// Gives the executable graph's nodes the work of the graph's nodes.
  void apply() {
    for (const auto& entry : pairs_) assign(*entry.first, *entry.second);
  }

 private:
  static std::vector<Node*> exits_of(const Graph& graph) {
    std::vector<Node*> exits;
    for (const std::unique_ptr<Node>& node : graph.nodes()) {
      if (node->dependents.empty()) exits.push_back(node.get());
    }
    return exits;
  }

  void refuse(UpdateResult result, const Node& node, const Node* from = nullptr) {
    problem_ = {.result = result,
                .error_node = handle_of(node),
                .error_from_node = from == nullptr ? nullptr : handle_of(*from)};
  }

  /// Two nodes to pair. `dependent` is the node by which they were reached; null for exits.
  struct Candidate {
    Node* executed = nullptr;
    Node* node = nullptr;
    const Node* dependent = nullptr;
  };

  /// Pairs two exits, and then all nodes on which they depend.
  void pair_all(Node& executed, Node& node) {
    std::vector<Candidate> rest{{.executed = &executed, .node = &node}};
    while (!rest.empty() && is_possible()) {
      const Candidate next = rest.back();
      rest.pop_back();
      if (!pair(next)) continue;
      const std::vector<Dependency>& dependencies = next.node->dependencies;
      for (std::size_t i = dependencies.size(); i-- > 0;) {
        rest.push_back({.executed = next.executed->dependencies[i].on,
                        .node = dependencies[i].on,
                        .dependent = next.node});
      }
    }
  }

  /// Pairs two nodes. Returns false if they are a pair already, or cannot be one.
  bool pair(const Candidate& candidate) {
    const auto found = pairs_.find(candidate.executed);
    const bool is_paired = found != pairs_.end();
    if (is_paired && found->second == candidate.node) return false;
    if (is_paired || paired_.contains(candidate.node)) {
      if (candidate.dependent == nullptr) {
        refuse(UpdateResult::topology_changed, *candidate.node);
      } else {
        refuse(UpdateResult::topology_changed, *candidate.dependent, candidate.node);
      }
      return false;
    }
    pairs_[candidate.executed] = candidate.node;
    paired_.insert(candidate.node);
    if (candidate.executed->dependencies.size() != candidate.node->dependencies.size()) {
      refuse(UpdateResult::topology_changed, *candidate.node);
    } else {
      check(*candidate.executed, *candidate.node);
    }
    return is_possible();
  }

  void check(const Node& executed, const Node& node) {
    if (executed.work.index() != node.work.index()) {
      refuse(UpdateResult::node_type_changed, node);
      return;
    }
    const UpdateResult result = change(executed.work, node.work);
    if (result != UpdateResult::success) {
      refuse(result, node);
    } else if (const auto* const child = std::get_if<ChildWork>(&executed.work)) {
      check_part(*child->graph, *std::get<ChildWork>(node.work).graph);
    } else if (const auto* const conditional = std::get_if<ConditionalWork>(&executed.work)) {
      const auto& bodies = std::get<ConditionalWork>(node.work).bodies;
      for (std::size_t i = 0; i < bodies.size() && is_possible(); ++i) {
        check_part(*conditional->bodies[i], *bodies[i]);
      }
    }
  }

  void check_part(Graph& executed, const Graph& graph) {
    const Pairing part(executed, graph);
    if (!part.is_possible()) problem_ = part.problem_;
  }

  static void assign(Node& executed, const Node& node) {
    if (const auto* const child = std::get_if<ChildWork>(&executed.work)) {
      Pairing(*child->graph, *std::get<ChildWork>(node.work).graph).apply();
    } else if (auto* const conditional = std::get_if<ConditionalWork>(&executed.work)) {
      const auto& changed = std::get<ConditionalWork>(node.work);
      // The kernels of the graph set its own condition.
      conditional->condition = changed.condition;
      for (std::size_t i = 0; i < changed.bodies.size(); ++i) {
        Pairing(*conditional->bodies[i], *changed.bodies[i]).apply();
      }
    } else {
      executed.work = copy_of(node.work, GraphRole::executed);
    }
  }

  std::unordered_map<Node*, Node*> pairs_;  ///< From the executable graph to the graph.
  std::unordered_set<const Node*> paired_;  ///< Of the graph.
  abi::UpdateInfo problem_{};
};

}  // namespace

abi::UpdateInfo update(Graph& executed, const Graph& graph) {
  Pairing pairing(executed, graph);
  if (pairing.is_possible()) pairing.apply();
  return pairing.problem();
}

void replace_work(Node& executed, Work work) {
  bool is_possible =
      executed.work.index() == work.index() && change(executed.work, work) == UpdateResult::success;
  if (is_possible) {
    if (const auto* const copy = std::get_if<CopyWork>(&executed.work)) {
      is_possible = !is_multidimensional(copy->copy.extent) &&
                    !is_multidimensional(std::get<CopyWork>(work).copy.extent);
    }
  }
  if (!is_possible) throw Failure{Error::invalid_value};
  if (const auto* const child = std::get_if<ChildWork>(&executed.work)) {
    if (update(*child->graph, *std::get<ChildWork>(work).graph).result != UpdateResult::success) {
      throw Failure{Error::graph_update_failure};
    }
    return;
  }
  if (auto* const kernel = std::get_if<KernelWork>(&work)) {
    kernel->attributes = std::get<KernelWork>(executed.work).attributes;
  }
  executed.work = std::move(work);
}

}  // namespace heddle::cuda::graphs
