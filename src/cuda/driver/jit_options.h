#pragma once

// The options that a program passes to the compiler when it loads PTX, and the buffers in which it
// expects the compiler's log.

#include <cstdint>
#include <string_view>

#include "cuda/driver/abi.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::driver {

class JitOptions {
 public:
  JitOptions() = default;
  /// Throws Failure for unsupported options that would change results. Options that cannot change
  /// results (optimisation level, target GPU, debug lines) are ignored: the machine's description
  /// and the options of 'heddle cuda' apply.
  JitOptions(unsigned count, const abi::JitOption* options, void** values);

  /// The limit of registers per thread; 0: no limit.
  std::uint32_t max_registers() const { return max_registers_; }
  /// Writes to the program's error log. False if the program has not provided one.
  bool report_error(std::string_view text) const { return write(error_, text); }
  /// Writes empty logs.
  void report_success() const;

 private:
  struct Log {
    char* text = nullptr;
    std::size_t capacity = 0;
    void** written = nullptr;  ///< Receives the number of bytes written.
  };
  static bool write(const Log& log, std::string_view text);

  std::uint32_t max_registers_ = 0;
  Log info_{}, error_{};
  void** wall_time_ = nullptr;
};

/// Loads a module, and writes errors to the program's log. Throws Failure.
Module& load_module(Session& session, std::vector<device::PtxSource> texts,
                    const JitOptions& options);

}  // namespace heddle::cuda::driver
