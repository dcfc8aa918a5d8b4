#include "store_option.h"

#include <CLI/CLI.hpp>

#include "option_values.h"

namespace heddle {

void add_store_option(CLI::App& verb, std::string& file) {
  file = "heddle-results.sqlite";
  verb.add_option("--store", file, "The file that results are stored in")
      ->envname("HEDDLE_STORE")
      ->capture_default_str()
      ->type_name("FILE")
      ->check(file_name());
}

}  // namespace heddle
