#pragma once

// Synthetic English text: the input of workloads that process text.

#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::workload {

/// ASCII text with the words, word frequencies and punctuation of English: sentences in paragraphs,
/// in lines shorter than 80 characters. It has exactly `bytes` bytes and depends only on the seed.
std::string english_text(std::size_t bytes, std::uint64_t seed);

}  // namespace heddle::workload
