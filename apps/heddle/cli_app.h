#pragma once

// Forward declarations of CLI11's classes: CLI11's own header takes seconds to compile.
namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI
