#include "source_file.h"

namespace heddle {

std::string source_file(std::string_view path) {
  return std::string(HEDDLE_SOURCE_DIR "/").append(path);
}

}  // namespace heddle
