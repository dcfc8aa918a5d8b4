#pragma once

#include <string>
#include <string_view>

namespace heddle {

/// The destination of a result: a file, a device, a pipe, or standard output ("-").
///
/// A file is replaced atomically: it holds either its old content or all of the new content. The
/// new content goes to a temporary file in the same folder, which is then renamed. Devices and
/// pipes are written directly.
class OutputFile {
 public:
  /// Checks that the destination is writable, so that a mistake is found before any work is done.
  /// Creates missing folders, and leaves an existing file unchanged. Does not open a pipe, because
  /// its reader must see only one opening. Throws InputError with the reason.
  explicit OutputFile(std::string name);

  const std::string& name() const { return name_; }
  /// Writes the whole content. Throws InputError with the reason on failure.
  void write(std::string_view content) const;

 private:
  std::string name_;
};

/// An output that is written piece by piece and in place, so it is useful before the program ends.
/// An existing file is truncated.
class OutputStream {
 public:
  /// Throws InputError if the file cannot be opened.
  explicit OutputStream(const OutputFile& file);
  ~OutputStream();
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  /// After a failed write, all later writes do nothing, and close() reports the error.
  void write(std::string_view text);
  /// Throws InputError if any write failed.
  void close();

 private:
  std::string name_;
  int descriptor_;
  int error_ = 0;  ///< The errno of the first failed write.
};

}  // namespace heddle
