#include "cuda/graphs/edit.h"

#include "cuda/runtime/call.h"
#include "cuda/runtime/copy_3d.h"

namespace heddle::cuda::graphs {
namespace {

constexpr std::uint8_t kLastEdgeType = 1;  ///< cudaGraphDependencyTypeProgrammatic
constexpr int kMoveGraph = 1;              ///< cudaGraphChildGraphOwnershipMove

bool contains(const Graph& graph, abi::NodeType type) {
  bool found = false;
  graph.for_each([&](const Node& node) {
    if (type_of(node.work) == type) found = true;
  });
  return found;
}

bool may_be_in_body(abi::NodeType type) {
  switch (type) {
    case abi::NodeType::kernel:
    case abi::NodeType::copy:
    case abi::NodeType::fill:
    case abi::NodeType::child:
    case abi::NodeType::empty:
    case abi::NodeType::conditional:
      return true;
    case abi::NodeType::host:
    case abi::NodeType::wait_event:
    case abi::NodeType::record_event:
    case abi::NodeType::allocate:
    case abi::NodeType::free:
      return false;
  }
  return false;
}

/// Takes over a graph of the program.
std::unique_ptr<Graph> take(Session& session, const Graph& graph) {
  const auto found = session.graphs.graphs.find(&graph);
  if (found == session.graphs.graphs.end()) throw Failure{Error::invalid_value};
  std::unique_ptr<Graph> taken = std::move(found->second);
  session.graphs.graphs.erase(found);
  taken->become_part();
  return taken;
}

}  // namespace

std::vector<Dependency> dependencies_of(const Session& session, const abi::NodeHandle* nodes,
                                        const abi::EdgeData* data, std::size_t count) {
  if (count != 0 && nodes == nullptr) throw Failure{Error::invalid_value};
  std::vector<Dependency> dependencies;
  for (std::size_t i = 0; i < count; ++i) {
    Dependency dependency{.on = &session.graphs.registry.node(nodes[i])};
    if (data != nullptr) dependency.data = data[i];
    if (dependency.data.type > kLastEdgeType || dependency.data.to_port != 0) {
      throw Failure{Error::invalid_value};
    }
    dependencies.push_back(dependency);
  }
  return dependencies;
}

Node& add_node(Graph& graph, const std::vector<Dependency>& dependencies, Work work) {
  if (graph.is_body && !may_be_in_body(type_of(work))) {
    throw Failure{Error::not_supported,
                  "the body of a conditional node can contain kernels, copies, fills, child graphs "
                  "and conditional nodes only, as in CUDA"};
  }
  Node& node = graph.add(std::move(work), dependencies);
  if (const auto* const conditional = std::get_if<ConditionalWork>(&node.work)) {
    conditional->condition->has_node = true;
  }
  return node;
}

void set_work(Node& node, Work work) {
  if (node.work.index() != work.index()) throw Failure{Error::invalid_value};
  if (auto* const kernel = std::get_if<KernelWork>(&work)) {
    kernel->attributes = std::get<KernelWork>(node.work).attributes;
  }
  node.work = std::move(work);
}

void remove_node(Session& session, Node& node) {
  session.graphs.captures.forget(node);
  if (const auto* const child = std::get_if<ChildWork>(&node.work)) {
    forget(session.graphs.captures, *child->graph);
  } else if (const auto* const conditional = std::get_if<ConditionalWork>(&node.work)) {
    for (const auto& body : conditional->bodies) forget(session.graphs.captures, *body);
    conditional->condition->has_node = false;
  }
  node.graph->remove(node);
}

void forget(Captures& captures, const Graph& graph) {
  captures.forget(graph);
  for (const std::unique_ptr<Node>& node : graph.nodes()) {
    if (const auto* const child = std::get_if<ChildWork>(&node->work)) {
      forget(captures, *child->graph);
    } else if (const auto* const conditional = std::get_if<ConditionalWork>(&node->work)) {
      for (const auto& body : conditional->bodies) forget(captures, *body);
    }
  }
}

Work child_work(Session& session, const abi::ChildNode& parameters) {
  const Graph& graph = session.graphs.registry.graph(parameters.graph);
  if (contains(graph, abi::NodeType::conditional)) throw Failure{Error::invalid_value};
  if (parameters.ownership == kMoveGraph) return ChildWork{take(session, graph)};
  // CUDA does not copy graphs that allocate or free memory.
  if (parameters.ownership != 0 || contains(graph, abi::NodeType::allocate) ||
      contains(graph, abi::NodeType::free)) {
    throw Failure{Error::invalid_value};
  }
  return ChildWork{graph.clone(GraphRole::part)};
}

Work conditional_work(Session& session, const Graph& graph, abi::ConditionalNode& parameters) {
  const std::uint32_t size = parameters.size;
  switch (parameters.kind) {
    case abi::ConditionalKind::if_else:
      if (size != 1 && size != 2) throw Failure{Error::invalid_value};
      break;
    case abi::ConditionalKind::while_loop:
      if (size != 1) throw Failure{Error::invalid_value};
      break;
    case abi::ConditionalKind::switch_case:
      if (size == 0) throw Failure{Error::invalid_value};
      break;
    default:
      throw Failure{Error::invalid_value};
  }
  const auto found = std::find_if(graph.conditions.begin(), graph.conditions.end(),
                                  [&](const std::shared_ptr<Condition>& condition) {
                                    return condition->address == parameters.condition;
                                  });
  if (found == graph.conditions.end() || (*found)->has_node) throw Failure{Error::invalid_value};
  ConditionalWork work{.condition = *found, .kind = parameters.kind};
  for (std::uint32_t i = 0; i < size; ++i) {
    work.bodies.push_back(std::make_unique<Graph>(session.graphs.registry, GraphRole::part));
    work.bodies.back()->is_body = true;
    work.handles.push_back(handle_of(*work.bodies.back()));
  }
  parameters.bodies = work.handles.data();  // Moving the work does not move the elements.
  return work;
}

Work work_of(Session& session, const Graph& graph, abi::NodeParameters& parameters) {
  auto& details = parameters.details;
  switch (parameters.type) {
    case abi::NodeType::kernel:
      return kernel_work(session, details.kernel);
    case abi::NodeType::copy:
      return copy_work(session, details.copy.copy);
    case abi::NodeType::fill:
      return fill_work(details.fill);
    case abi::NodeType::host:
      return host_work(details.host);
    case abi::NodeType::child:
      return child_work(session, details.child);
    case abi::NodeType::empty:
      return EmptyWork{};
    case abi::NodeType::wait_event:
      return wait_work(session, details.event);
    case abi::NodeType::record_event:
      return record_work(session, details.event);
    case abi::NodeType::allocate:
      return allocate_work(session, details.allocation);
    case abi::NodeType::free:
      return free_work(session, details.freed);
    case abi::NodeType::conditional:
      return conditional_work(session, graph, details.conditional);
  }
  throw Failure{Error::not_supported, "Heddle does not support graph nodes of type " +
                                          std::to_string(static_cast<int>(parameters.type))};
}

Work changed_work_of(Session& session, const Graph& graph, abi::NodeParameters& parameters) {
  switch (parameters.type) {
    case abi::NodeType::allocate:
    case abi::NodeType::free:
    case abi::NodeType::conditional:
      throw Failure{Error::invalid_value};
    default:
      return work_of(session, graph, parameters);
  }
}

Work linear_copy_work(Session& session, const LinearPlace& to, const LinearPlace& from,
                      std::size_t bytes, abi::CopyKind kind) {
  return copy_work(session, description_of(to, from, {.row_bytes = bytes}, kind));
}

}  // namespace heddle::cuda::graphs
