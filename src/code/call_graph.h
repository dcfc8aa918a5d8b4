#pragma once

// The call graph of a program, and the resources that a function and all functions that it can call
// need together.

#include <cstdint>
#include <vector>

#include "code/program.h"
#include "code/unit.h"

namespace heddle::code {

/// The nodes are the functions and one extra node for indirect calls. Functions that call
/// indirectly lead to the extra node, which leads to every function whose address is taken. Edges
/// from each indirect caller to each such function would be too many.
class CallGraph {
 public:
  /// Uses FunctionInfo::callees and the function addresses that the bodies and initialisers take.
  explicit CallGraph(const Unit& unit);
  /// The call graph of a finished program.
  explicit CallGraph(const Program& program);

  std::size_t nodes() const { return callees_.size(); }
  bool is_function(std::uint32_t node) const { return node + 1 < nodes(); }
  const std::vector<std::uint32_t>& callees(std::uint32_t node) const { return callees_[node]; }
  /// `function` itself, then every function that it can reach, in ascending order.
  std::vector<std::uint32_t> reachable_from(std::uint32_t function) const;

  /// The strongly connected components, callees before callers.
  const std::vector<std::vector<std::uint32_t>>& components() const { return components_; }
  /// Whether two activations of the function can exist at once.
  bool is_recursive(std::uint32_t function) const { return recursive_[function]; }

 private:
  void connect(const Program& program, std::vector<bool> address_taken);
  void find_components();

  std::vector<std::vector<std::uint32_t>> callees_;  ///< By node.
  std::vector<std::vector<std::uint32_t>> components_;
  std::vector<bool> recursive_;
};

/// Fills those fields of FunctionInfo that sum up a function and all functions that it can call:
/// registers and predicates per thread, local memory, and unsupported instructions. Must be called
/// only once, when the fields of each function describe that function alone.
void summarise(Program& program);

}  // namespace heddle::code
