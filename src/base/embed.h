#pragma once

// Embeds text files into the program by means of the assembler. cmake/embed.cmake generates the
// sources that use these macros.

#include <string_view>

/// Embeds a file, and declares the beginning and the end of its text. `symbol` must be unique in
/// the program. Use the macro outside of all namespaces.
#define HEDDLE_EMBED(symbol, file)                            \
  asm(".pushsection .rodata\n"                                \
      ".global heddle_begin_" #symbol ", heddle_end_" #symbol \
      "\n"                                                    \
      "heddle_begin_" #symbol ":\n.incbin \"" file            \
      "\"\n"                                                  \
      "heddle_end_" #symbol ":\n.popsection\n");              \
  extern "C" const char heddle_begin_##symbol[], heddle_end_##symbol[];

/// The text of the embedded file.
#define HEDDLE_EMBEDDED(symbol) std::string_view(heddle_begin_##symbol, heddle_end_##symbol)
