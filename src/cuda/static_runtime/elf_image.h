#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// An ELF file: a program or library for the host's processor. The file may be corrupt: sections
/// and entries that extend beyond its end count as absent.
class ElfImage {
 public:
  /// The image of the file in `bytes`, to which it refers; nothing if the file is not one.
  static std::optional<ElfImage> read(std::span<const std::byte> bytes);

  bool has_section(std::string_view name) const;
  /// True if these characters occur anywhere in the file.
  bool has_text(std::string_view text) const;
  /// True if the file needs (DT_NEEDED) a library whose name begins with `begin`.
  bool needs_library(std::string_view begin) const;
  /// True if the symbol table defines a function of that name. A stripped file has no symbol table.
  bool defines(std::string_view function) const;

  struct Function {
    std::string_view name;
    std::uint64_t address = 0;  ///< The function's address if the image is loaded at 0.
    std::uint64_t space = 0;    ///< Bytes up to the next symbol, padding included.
  };
  /// The functions that the symbol table defines.
  std::vector<Function> functions() const;

 private:
  struct Section {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint32_t link = 0;  ///< The index of a section with the names for this one.
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::span<const std::byte> content;
  };

  explicit ElfImage(std::span<const std::byte> bytes) : bytes_(bytes) {}
  void read_sections(std::uint64_t table, std::size_t count, std::size_t names);
  /// The first section of a type; null if there is none.
  const Section* find(std::uint32_t type) const;
  /// The text at an offset in the string table of a section; empty if there is none.
  std::string_view text_of(const Section& section, std::uint64_t offset) const;

  std::span<const std::byte> bytes_;
  std::vector<Section> sections_;
};

}  // namespace heddle::cuda
