// See walk.h. Not there: paths longer than PATH_MAX (4,096 bytes), which become problems; a tree
// that changes while it is read.
#include "walk.h"

#include <cilk/cilk.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

namespace {

// Files of one directory that a child counts: enough to make a spawn cheap against the opening of
// the files, few enough to keep other workers busy in a directory without sub-directories.
constexpr std::size_t kFilesPerBatch = 32;

struct Listing {
  std::vector<std::string> directories;
  std::vector<std::string> files;
};

enum class Kind { kDirectory, kFile, kOther };

Kind kind_of(DIR *directory, const dirent &entry) {
  switch (entry.d_type) {
    case DT_DIR:
      return Kind::kDirectory;
    case DT_REG:
      return Kind::kFile;
    case DT_UNKNOWN:  // some file systems do not say
      break;
    default:
      return Kind::kOther;
  }
  struct stat status;
  if (fstatat(dirfd(directory), entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return Kind::kOther;
  if (S_ISDIR(status.st_mode)) return Kind::kDirectory;
  return S_ISREG(status.st_mode) ? Kind::kFile : Kind::kOther;
}

// The paths of what lies in the directory `path`; a failure goes into `problems`.
Listing list(const std::string &path, std::vector<Problem> &problems) {
  Listing listing;
  DIR *directory = opendir(path.c_str());
  if (directory == nullptr) {
    problems.push_back({path, std::strerror(errno)});
    return listing;
  }
  const std::string prefix = path.ends_with('/') ? path : path + '/';
  for (;;) {
    errno = 0;
    const dirent *entry = readdir(directory);
    if (entry == nullptr) {
      if (errno != 0) problems.push_back({path, std::strerror(errno)});
      break;
    }
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    Kind kind = kind_of(directory, *entry);
    if (kind == Kind::kDirectory) listing.directories.push_back(prefix + entry->d_name);
    if (kind == Kind::kFile) listing.files.push_back(prefix + entry->d_name);
  }
  closedir(directory);
  return listing;
}

Tally count_files(std::span<const std::string> paths) {
  Tally tally;
  for (const std::string &path : paths) tally.count_file(path);
  return tally;
}

}  // namespace

Tally walk(const std::string &path) {
  Tally total;
  total.directories = 1;
  const Listing listing = list(path, total.problems);
  const std::span<const std::string> files(listing.files);
  const std::size_t batches = (files.size() + kFilesPerBatch - 1) / kFilesPerBatch;

  // Each child builds its result in a place of its own; nobody looks there before the sync.
  std::vector<Tally> parts(listing.directories.size() + batches);
  std::size_t next = 0;
  for (const std::string &name : listing.directories) parts[next++] = cilk_spawn walk(name);
  for (std::size_t begin = 0; begin < files.size(); begin += kFilesPerBatch) {
    const std::size_t count = std::min(kFilesPerBatch, files.size() - begin);
    parts[next++] = cilk_spawn count_files(files.subspan(begin, count));
  }
  cilk_sync;

  for (Tally &part : parts) total.merge(std::move(part));
  return total;
}
