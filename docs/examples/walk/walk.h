// The walk over a tree of directories: the one function of this program that spawns.
#pragma once

#include <string>

#include "tally.h"

// Counts all regular files below `path`, a directory (or a symbolic link to one: only the links
// below it are not followed), with a child for each directory and for each batch of files. A file
// or directory that cannot be read becomes a problem of the result. The result does not depend on
// the number of workers, but for the order of `problems` and of the map. Work: the bytes of the
// files, and the merging of the words. Span: the deepest path, and the merging along it.
Tally walk(const std::string &path);
