#include "json_output.h"

#include <fmt/format.h>

#include "base/file.h"

namespace heddle {

void write_json(const nlohmann::ordered_json& json, const std::string& file) {
  const std::string text =
      json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (file == "-") {
    fmt::print("{}", text);
  } else {
    write_file(file, text);
  }
}

}  // namespace heddle
