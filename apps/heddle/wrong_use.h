#pragma once

#include <string>

#include "cli_app.h"

namespace heddle {

/// What to say of arguments that could not be taken: of a verb or an option that there is not, the
/// nearest that there is; else what CLI11 says. After `app` has tried to take them and thrown
/// `error`.
std::string explain_wrong_use(const CLI::App& app, int argc, const char* const* argv,
                              const CLI::ParseError& error);

}  // namespace heddle
