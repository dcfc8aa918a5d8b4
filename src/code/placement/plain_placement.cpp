#include "code/placement/plain_placement.h"

namespace heddle::code {

std::vector<InstructionPlacement> plain_placement(const CodeOrder& code) {
  std::vector<InstructionPlacement> placement(code.size());
  for (Position at = 0; at < code.size(); ++at) {
    for (const WordRead& read : words_read(*code.instructions[at])) {
      placement[at].reads.push_back({.word = read.word});
    }
    for_each_word_written(*code.instructions[at], [&](std::uint16_t word) {
      placement[at].writes.push_back({.word = word});
    });
  }
  return placement;
}

}  // namespace heddle::code
