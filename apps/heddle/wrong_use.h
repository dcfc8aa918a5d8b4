#pragma once

#include <string>

#include "cli_app.h"

namespace heddle {

/// The message for arguments that `app` rejected with `error`. For an unknown verb or option it
/// suggests the nearest known one; for most other errors it is CLI11's message.
std::string explain_wrong_use(const CLI::App& app, int argc, const char* const* argv,
                              const CLI::ParseError& error);

}  // namespace heddle
