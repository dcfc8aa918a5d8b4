#pragma once

// Text files that are part of the program: the assembler puts them into it. Sources that have some
// are made by cmake/embed.cmake.

#include <string_view>

/// Belongs outside of all namespaces.
#define HEDDLE_EMBED(symbol, file)                            \
  asm(".pushsection .rodata\n"                                \
      ".global heddle_begin_" #symbol ", heddle_end_" #symbol \
      "\n"                                                    \
      "heddle_begin_" #symbol ":\n.incbin \"" file            \
      "\"\n"                                                  \
      "heddle_end_" #symbol ":\n.popsection\n");              \
  extern "C" const char heddle_begin_##symbol[], heddle_end_##symbol[];

#define HEDDLE_EMBEDDED(symbol) std::string_view(heddle_begin_##symbol, heddle_end_##symbol)
