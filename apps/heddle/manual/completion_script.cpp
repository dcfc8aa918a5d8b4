#include "manual/completion_script.h"

#include <fmt/format.h>

namespace heddle {
namespace {

std::string verb_cases(const VerbDescription& heddle) {
  std::string text;
  for_each_verb(heddle, [&](const VerbDescription& verb) {
    if (&verb == &heddle) return;
    text += fmt::format("      {0}) verb={0} ;;\n", in_quotes(verb.path));
  });
  return text;
}

}  // namespace

std::string completion_script(const ShellParts& shell, const VerbDescription& heddle) {
  return fmt::format(
      "{}{}    esac\n  done\n  case \"$verb $option\" in\n{}  esac\n  word=''\n"
      "  [[ $current == -* ]] && word=-\n  case \"$verb $word\" in\n{}  esac\n}}\n\n{}",
      shell.begin, verb_cases(heddle), shell.values, shell.words, shell.end);
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

}  // namespace heddle
