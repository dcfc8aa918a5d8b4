#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/write_signals.h"

namespace heddle {
namespace {

constexpr ::mode_t kUsualMode = 0666;  // Before the user's umask applies.

/// Throws InputError with the reason for `error`, an errno.
[[noreturn]] void refuse(const std::string& name, int error) {
  throw InputError(fmt::format("cannot write {}: {}", name == "-" ? "standard output" : name,
                               std::strerror(error)));
}

/// The descriptor if `name` denotes one that is already open, else empty. If standard output is
/// redirected to a file, opening that file again would overwrite it from its start.
std::optional<int> existing_descriptor(const std::string& name) {
  if (name == "-" || name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!name.starts_with(folder)) continue;
    int number = 0;
    const char* const end = name.data() + name.size();
    const auto [stopped, error] = std::from_chars(name.data() + folder.size(), end, number);
    if (error == std::errc{} && stopped == end) return number;
  }
  return std::nullopt;
}

/// Moves the descriptor to a number above those of standard input, output and error. The calling
/// program may have closed these, and later messages to them must not go into our file.
int move_above_standard(int descriptor) {
  const int above = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return above;
}

/// Returns the descriptor, or -1 with errno set.
int open_file(const std::string& file, int flags) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | flags, kUsualMode);
  return descriptor < 0 || descriptor > STDERR_FILENO ? descriptor
                                                      : move_above_standard(descriptor);
}

/// Returns a second descriptor of the same file, or -1 with errno set.
int duplicate(int descriptor) {
  // Text that was printed earlier must come first.
  if (descriptor == STDOUT_FILENO) std::fflush(stdout);
  return ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/// Returns 0, or the errno of the failed write.
int write_all(int descriptor, std::string_view text) {
  const WriteSignalBlock no_signals;
  while (!text.empty()) {
    const ::ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// Returns 0 or an errno; closes the descriptor in any case.
int write_and_close(int descriptor, std::string_view text) {
  const int error = write_all(descriptor, text);
  const bool closed = ::close(descriptor) == 0;
  return error != 0 || closed ? error : errno;
}

/// The final target of symbolic links, whether it exists or not.
std::filesystem::path resolve_links(const std::string& name) {
  constexpr int kMaxLinks = 40;  // As in Linux.
  std::error_code error;
  std::filesystem::path file = name;
  for (int i = 0; i < kMaxLinks; ++i) {
    const std::filesystem::path next = std::filesystem::read_symlink(file, error);
    if (error) return file;
    file = file.parent_path() / next;
  }
  refuse(name, ELOOP);
}

/// A temporary file in the folder of `file`. The destructor removes it unless commit() renamed it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& file) : file_(file.string()) {
    for (int i = 0; descriptor_ < 0 && (i == 0 || errno == EEXIST); ++i) {
      temporary_ = (file.parent_path() / fmt::format(".heddle-{}-{}", ::getpid(), i)).string();
      descriptor_ = open_file(temporary_, O_CREAT | O_EXCL);
    }
    if (descriptor_ < 0) error_ = errno;
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (error_ == 0 && !temporary_.empty()) ::unlink(temporary_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// 0, or the errno with which the file could not be created.
  int error() const { return error_; }
  /// Writes the content and renames the temporary file to `file`. Returns 0 or an errno.
  int commit(std::string_view content) {
    struct ::stat old {};
    if (::stat(file_.c_str(), &old) == 0) ::fchmod(descriptor_, old.st_mode & 07777);
    if (const int error = write_and_close(std::exchange(descriptor_, -1), content)) return error;
    if (::rename(temporary_.c_str(), file_.c_str()) != 0) return errno;
    temporary_.clear();
    return 0;
  }

 private:
  std::string file_;
  std::string temporary_;
  int descriptor_ = -1;
  int error_ = 0;
};

/// Whether `name` exists and is not a regular file: a device, a pipe or a folder.
bool is_special(const std::string& name) {
  struct ::stat found {};
  return ::stat(name.c_str(), &found) == 0 && !S_ISREG(found.st_mode);
}

// The check functions return 0 if the destination can be written, else an errno.

int check_descriptor(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  return flags < 0 || (flags & O_ACCMODE) == O_RDONLY ? EBADF : 0;
}

int check_special(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_fifo(name, ignored)) {
    return ::access(name.c_str(), W_OK) == 0 ? 0 : errno;
  }
  const int descriptor = open_file(name, 0);
  if (descriptor < 0) return errno;
  ::close(descriptor);
  return 0;
}

int check_file(const std::string& name) {
  struct ::stat found {};
  const bool exists = ::stat(name.c_str(), &found) == 0;
  if (!exists && errno != ENOENT) return errno;
  if (exists && ::access(name.c_str(), W_OK) != 0) return errno;
  const std::filesystem::path file = resolve_links(name);
  if (!file.has_filename()) return EISDIR;
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  return error ? error.value() : TemporaryFile(file).error();
}

}  // namespace

OutputFile::OutputFile(std::string name) : name_(std::move(name)) {
  const std::optional<int> open = existing_descriptor(name_);
  const int error = open                ? check_descriptor(*open)
                    : is_special(name_) ? check_special(name_)
                                        : check_file(name_);
  if (error != 0) refuse(name_, error);
}

void OutputFile::write(std::string_view content) const {
  int error = 0;
  const std::optional<int> open = existing_descriptor(name_);
  if (open || is_special(name_)) {
    const int descriptor = open ? duplicate(*open) : open_file(name_, 0);
    error = descriptor < 0 ? errno : write_and_close(descriptor, content);
  } else {
    TemporaryFile temporary(resolve_links(name_));
    error = temporary.error() != 0 ? temporary.error() : temporary.commit(content);
  }
  if (error != 0) refuse(name_, error);
}

OutputStream::OutputStream(const OutputFile& file) : name_(file.name()) {
  const std::optional<int> open = existing_descriptor(name_);
  descriptor_ = open ? duplicate(*open) : open_file(name_, O_CREAT | O_TRUNC);
  if (descriptor_ < 0) refuse(name_, errno);
}

OutputStream::~OutputStream() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputStream::write(std::string_view text) {
  if (error_ == 0) error_ = write_all(descriptor_, text);
}

void OutputStream::close() {
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (error_ == 0 && !closed) error_ = errno;
  if (error_ != 0) refuse(name_, error_);
}

}  // namespace heddle
