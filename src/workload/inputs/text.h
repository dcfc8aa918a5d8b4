#pragma once

// Text for programs that read text.

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::workload {

/// ASCII text that is like English in its words, their frequencies and its punctuation: sentences
/// in paragraphs of lines below 80 characters. Exactly `bytes` long, the same for a seed on every
/// host.
std::string english_text(std::size_t bytes, std::uint64_t seed);

}  // namespace heddle::workload
