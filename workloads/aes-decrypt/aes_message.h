#pragma once

// The text that is encrypted or decrypted, and a test of the host's own cipher.

#include <cstdint>
#include <vector>

#include "aes_reference.h"
#include "workload/check_result.h"
#include "workload/random.h"
#include "workload/size.h"

namespace heddle::workload::aes {

/// English-like text, padded to whole blocks. Each padding byte is the number of padding bytes.
std::vector<Byte> padded_text(Size size, std::uint64_t seed);
Block random_block(Random& random);
/// Requires that the host's cipher reproduces the example of FIPS-197, appendix C.1.
void require_standard_example(CheckResult& check);

}  // namespace heddle::workload::aes
