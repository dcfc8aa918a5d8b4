#pragma once

// CLI11's classes, for headers: its own header takes seconds to compile.
namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI
