#pragma once

// One link of nvJitLink: its options, inputs, logs and result.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/fatbin/linked_image.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::nvjitlink {

/// nvJitLinkResult: the results that Heddle returns, with NVIDIA's numbers.
enum class Result : int {
  success = 0,
  unrecognized_option = 1,
  missing_architecture = 2,
  invalid_input = 3,
  ptx_error = 4,
  internal_error = 6,
  null_input = 10,
  incorrect_input_type = 12,
};

/// A link. Each function returns the result for the program, and adds the reason for an error to
/// the error log.
class Link {
 public:
  /// Options that cannot change results have no effect.
  Result set_options(std::span<const char* const> options);
  /// Adds code. Its content decides what it is, not the kind that the program states: nvrtc may
  /// have made PTX in place of another kind.
  Result add(std::string_view code, const std::string& name);
  Result add_file(const std::string& file);
  /// Compiles all inputs together to find errors.
  Result complete(Session& session);

  /// The result in the form in which modules are loaded; empty before complete().
  const std::string& image() const { return image_; }
  /// The PTX if the program asked for it (-ptx) and there is one input; empty otherwise.
  const std::string& ptx() const { return ptx_; }
  const std::string& errors() const { return errors_; }

 private:
  /// Appends to the error log.
  Result fail(Result result, std::string_view why);

  bool makes_ptx_ = false;
  std::vector<LinkedText> texts_{};
  std::string image_{}, ptx_{}, errors_{};
};

}  // namespace heddle::cuda::nvjitlink
