#pragma once

// Conversions between the driver's and the runtime's parameters of graph nodes.

#include "cuda/driver/graph_abi.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::driver {

/// The runtime's description of a copy. Throws Failure for an invalid one.
abi::Copy3D runtime_copy(const Session& session, const abi::DriverCopy3D& copy);
abi::DriverCopy3D driver_copy(const Session& session, const abi::Copy3D& copy);
abi::KernelNode runtime_kernel(const abi::DriverKernelNode& kernel);
abi::DriverKernelNode driver_kernel(const abi::KernelNode& kernel);
/// The runtime's parameters of a node of any type.
abi::NodeParameters runtime_parameters(const Session& session,
                                       const abi::DriverNodeParameters& parameters);
/// Returns the results that a call has set in the runtime's parameters.
void return_results(const abi::NodeParameters& from, abi::DriverNodeParameters& to);

}  // namespace heddle::cuda::driver
