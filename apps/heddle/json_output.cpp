#include "json_output.h"

namespace heddle {

void write_json(const nlohmann::ordered_json& json, const OutputFile& file) {
  file.write(json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace heddle
