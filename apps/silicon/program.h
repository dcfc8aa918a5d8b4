#pragma once

// Common parts of the programs for real GPUs: exit codes and error messages.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "base/error.h"
#include "cuda_check.h"

namespace heddle::silicon {

inline constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 a result was wrong, 2 wrong use or no GPU, 3 CUDA failed.";

/// Throws InputError if no NVIDIA GPU is found.
inline void require_gpu() {
  int devices = 0;
  const cudaError_t error = cudaGetDeviceCount(&devices);
  if (error == cudaSuccess && devices > 0) return;
  throw InputError(fmt::format("no NVIDIA GPU was found: {}", cudaGetErrorString(error)));
}

/// Parses the arguments and calls run(), which returns whether all results were correct. Returns
/// the exit code.
template <class Run>
int run_program(CLI::App& app, int argc, char** argv, Run run) {
  try {
    app.parse(argc, argv);
    return run() ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const CudaError& error) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", app.get_name(), error.what());
    return 2;
  }
}

}  // namespace heddle::silicon
