#pragma once

// The functions that run the body of a call that changes a node's parameters.

#include "cuda/graphs/edit.h"
#include "cuda/runtime/call.h"

namespace heddle::cuda {

/// Changes a node of a graph. `make_work` creates its new work.
template <class MakeWork>
Error change_node(const char* name, abi::NodeHandle node, MakeWork make_work) {
  return call(name, [&](Session& session) {
    graphs::Node& changed = session.graphs.registry.node(node);
    graphs::set_work(changed, make_work(session));
  });
}

/// Changes a node of an executable graph. `node` is the node that it was copied from.
template <class MakeWork>
Error change_node(const char* name, abi::ExecutableHandle executable, abi::NodeHandle node,
                  MakeWork make_work) {
  return call(name, [&](Session& session) {
    graphs::Node& changed =
        graphs::node_of(*session.graphs.executable(executable), session.graphs.registry.node(node));
    graphs::replace_work(changed, make_work(session));
  });
}

}  // namespace heddle::cuda
