// The token design (Xiang's dissertation, Toward Efficient SIMT Execution, section 2.4.1): each
// vector register has a bit, the token, that says that its value is uniform. The value is then in
// one lane of the vector register.

#include "sm/redundancy/uniform_vectors.h"

namespace heddle::sm {
namespace {

struct TokenParameters {
  static void check(const SmDescription& sm) { check_uniform_vectors(sm); }
  static void storage(config::StorageList& list) {
    list.add({.name = "uniform_tokens",
              .bits = "sm.registers / 32",
              .meaning = "whether each vector register is uniform",
              .source = "simt, section 2.4.1"});
    list_reuse_buffer(list);
  }
};

const RedundancyRegistry::Entry token_entry{
    "token", "uniform instructions are computed in one lane, or their results are reused",
    [](const TokenParameters&, const RedundancyDescription& description) {
      return std::make_unique<UniformVectors>(description, ScalarPlace::lane, std::nullopt);
    }};

}  // namespace
}  // namespace heddle::sm
