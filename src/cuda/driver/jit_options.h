#pragma once

// What a program asks of the compiler when it loads PTX, and where it wants to read what came of
// it.

#include <cstdint>
#include <string_view>

#include "cuda/driver/abi.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::driver {

class JitOptions {
 public:
  JitOptions() = default;
  /// Throws Failure for what Heddle does not have and would change results. What cannot change any
  /// (how much to optimise, for which GPU, lines for debuggers) is as the machine's description and
  /// 'heddle cuda' say.
  JitOptions(unsigned count, const abi::JitOption* options, void** values);

  /// Of one thread; 0: as the compiler likes.
  std::uint32_t most_registers() const { return most_registers_; }
  /// Whether there was a place for it.
  bool report_error(std::string_view text) const { return write(error_, text); }
  /// There is nothing to say where all is well.
  void report_success() const;

 private:
  struct Log {
    char* text = nullptr;
    std::size_t room = 0;
    void** written = nullptr;  ///< Where the program wants to know how much there is.
  };
  static bool write(const Log& log, std::string_view text);

  std::uint32_t most_registers_ = 0;
  Log info_{}, error_{};
  void** wall_time_ = nullptr;
};

/// Loads a module; errors go where the program wants them. Throws Failure.
Module& load_module(Session& session, std::vector<device::PtxSource> texts,
                    const JitOptions& options);

}  // namespace heddle::cuda::driver
