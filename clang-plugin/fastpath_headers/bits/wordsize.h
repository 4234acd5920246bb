/* Stands before the C library's headers of the build machine when the fast path is compiled for
 * another target (clang-plugin/CMakeLists.txt), whose own need not be installed. Of what the fast
 * path takes from them, this file and its neighbours are all that differs. */
#define __WORDSIZE 64
#define __WORDSIZE_TIME64_COMPAT32 0
