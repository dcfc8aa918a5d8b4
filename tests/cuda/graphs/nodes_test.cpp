// Tests of rules for nodes that a program for a real GPU cannot test.

#include <gtest/gtest.h>

#include "cuda/runtime/graph_calls.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda {
namespace {

class GraphNodesTest : public testing::Test {
 protected:
#if defined(__SANITIZE_ADDRESS__)
  // Conditions and memory of graphs need a device.
  void SetUp() override {
    GTEST_SKIP() << "AddressSanitizer uses the addresses at which programs see device memory";
  }
#endif
  GraphNodesTest() { EXPECT_EQ(cudaGraphCreate(&graph, 0), Error::success); }
  // Other tests require that the runtime has not been used.
  ~GraphNodesTest() override { Session::instance().reset(); }

  static Error add(abi::GraphHandle to, abi::NodeParameters& parameters) {
    abi::NodeHandle node = nullptr;
    return cudaGraphAddNode(&node, to, nullptr, nullptr, 0, &parameters);
  }
  static Error launch(abi::GraphHandle launched) {
    abi::ExecutableHandle executable = nullptr;
    EXPECT_EQ(cudaGraphInstantiateWithFlags(&executable, launched, 0), Error::success);
    return cudaGraphLaunch(executable, nullptr);
  }
  /// Parameters of a conditional node with one body, whose condition is `value` in each launch.
  abi::NodeParameters conditional(abi::ConditionalKind kind, unsigned value) {
    abi::NodeParameters parameters{};
    parameters.type = abi::NodeType::conditional;
    parameters.details.conditional.kind = kind;
    parameters.details.conditional.size = 1;
    EXPECT_EQ(cudaGraphConditionalHandleCreate(&parameters.details.conditional.condition, graph,
                                               value, 1),
              Error::success);
    return parameters;
  }
  static std::uint64_t attribute(int number) {
    std::uint64_t value = 0;
    EXPECT_EQ(cudaDeviceGetGraphMemAttribute(0, number, &value), Error::success);
    return value;
  }

  abi::GraphHandle graph = nullptr;
};

TEST_F(GraphNodesTest, WhileNodeWithoutKernelThatWouldRepeatForeverFails) {
  abi::NodeParameters node = conditional(abi::ConditionalKind::while_loop, 1);
  EXPECT_EQ(add(graph, node), Error::success);
  EXPECT_EQ(launch(graph), Error::launch_timeout);
}

TEST_F(GraphNodesTest, WhileNodeWhoseConditionIsFalseIsNotExecuted) {
  abi::NodeParameters node = conditional(abi::ConditionalKind::while_loop, 0);
  EXPECT_EQ(add(graph, node), Error::success);
  EXPECT_EQ(launch(graph), Error::success);
}

TEST_F(GraphNodesTest, ConditionHasOneNode) {
  abi::NodeParameters node = conditional(abi::ConditionalKind::if_else, 0);
  EXPECT_EQ(add(graph, node), Error::success);
  EXPECT_EQ(add(graph, node), Error::invalid_value);
}

TEST_F(GraphNodesTest, ConditionBelongsToOneGraph) {
  abi::NodeParameters node = conditional(abi::ConditionalKind::if_else, 0);
  abi::GraphHandle other = nullptr;
  EXPECT_EQ(cudaGraphCreate(&other, 0), Error::success);
  EXPECT_EQ(add(other, node), Error::invalid_value);
}

TEST_F(GraphNodesTest, BodyCannotContainHostFunction) {
  abi::NodeParameters node = conditional(abi::ConditionalKind::if_else, 0);
  EXPECT_EQ(add(graph, node), Error::success);
  abi::NodeParameters host{};
  host.type = abi::NodeType::host;
  host.details.host.function = [](void*) {};
  EXPECT_EQ(add(node.details.conditional.bodies[0], host), Error::not_supported);
  // A body cannot be launched without its node, or destroyed.
  abi::ExecutableHandle executable = nullptr;
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&executable, node.details.conditional.bodies[0], 0),
            Error::invalid_value);
  EXPECT_EQ(cudaGraphDestroy(node.details.conditional.bodies[0]), Error::invalid_value);
}

TEST_F(GraphNodesTest, RejectsNodesOfUnsupportedTypes) {
  abi::NodeParameters node{};
  node.type = static_cast<abi::NodeType>(8);
  EXPECT_EQ(add(graph, node), Error::not_supported);
}

TEST_F(GraphNodesTest, MemoryIsUsedFromLaunchToFreeAndReservedAsLongAsGraphsExist) {
  enum : int { used = 0, most_used = 1, reserved = 2 };
  abi::NodeParameters node{};
  node.type = abi::NodeType::allocate;
  node.details.allocation.pool.location.kind = 1;  // On the device.
  node.details.allocation.bytes = 4096;
  EXPECT_EQ(add(graph, node), Error::success);
  EXPECT_EQ(attribute(used), 0U);
  EXPECT_EQ(attribute(reserved), 4096U);
  abi::ExecutableHandle executable = nullptr;
  EXPECT_EQ(cudaGraphInstantiateWithFlags(&executable, graph, 0), Error::success);
  EXPECT_EQ(cudaGraphLaunch(executable, nullptr), Error::success);
  EXPECT_EQ(attribute(used), 4096U);
  EXPECT_EQ(cudaGraphDestroy(graph), Error::success);
  EXPECT_EQ(cudaGraphExecDestroy(executable), Error::success);
  EXPECT_EQ(attribute(reserved), 4096U);  // The program has not freed it.
  EXPECT_EQ(cudaFree(node.details.allocation.pointer), Error::success);
  EXPECT_EQ(attribute(used), 0U);
  EXPECT_EQ(attribute(reserved), 0U);
  EXPECT_EQ(attribute(most_used), 4096U);
  std::uint64_t value = 1;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, most_used, &value), Error::invalid_value);
  value = 0;
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, most_used, &value), Error::success);
  EXPECT_EQ(attribute(most_used), 0U);
  EXPECT_EQ(cudaDeviceSetGraphMemAttribute(0, used, &value), Error::invalid_value);
  EXPECT_EQ(cudaFree(node.details.allocation.pointer), Error::invalid_value);
}

}  // namespace
}  // namespace heddle::cuda
