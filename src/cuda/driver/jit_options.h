#pragma once

// The options that a program passes to the compiler when it loads PTX, and the buffers in which it
// expects the compiler's log.

#include <cstdint>
#include <string_view>

#include "cuda/driver/abi.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::driver {

/// The options of one load or link.
class JitOptions {
 public:
  JitOptions() = default;
  /// Throws Failure for unsupported options that would change results. Options that cannot change
  /// results (optimisation level, target GPU, debug lines) are ignored: the machine's description
  /// and the options of 'heddle cuda' apply.
  JitOptions(unsigned count, const abi::JitOption* options, void** values);

  /// The limit of registers per thread; 0: no limit.
  std::uint32_t max_registers() const { return max_registers_; }
  /// Writes to the program's error log. Returns false if the program has not provided one.
  bool report_error(std::string_view text) const { return write(error_, text); }
  /// Writes empty texts to the program's logs, and a compilation time of 0.
  void report_success() const;

 private:
  struct Log {
    char* text = nullptr;
    std::size_t capacity = 0;
    void** written = nullptr;  ///< Receives the number of bytes written, cast to a pointer.
  };
  static bool write(const Log& log, std::string_view text);

  std::uint32_t max_registers_ = 0;
  Log info_{}, error_{};
  void** wall_time_ = nullptr;
};

/// Loads a module with the given options, and writes errors to the program's log. Throws Failure
/// for errors in the PTX.
Module& load_module(Session& session, std::vector<device::PtxSource> texts,
                    const JitOptions& options);

}  // namespace heddle::cuda::driver
