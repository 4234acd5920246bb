# CMake's toolchain file for AArch64 Linux, on another machine with Debian's arm64 packages
# (tests/install/dependencies --aarch64). Programs and tests run under qemu-user.
#
#   cmake --preset release && cmake --build build           # plugin and driver: this machine's
#   cmake --preset aarch64 && cmake --build build-aarch64   # the runtime
#   build/bin/nopal-clang++ --target=aarch64-linux-gnu fib.cpp -o fib && qemu-aarch64-static fib
#
# docs/aarch64.md says what is covered.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
foreach(language C CXX ASM)
  set(CMAKE_${language}_COMPILER_TARGET aarch64-linux-gnu)
endforeach()
# Return addresses are signed, and indirect branches go to marked places.
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT -mbranch-protection=standard)
endforeach()
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_INSTALL_LIBDIR lib/aarch64-linux-gnu CACHE PATH "libraries, relative to the prefix")
find_program(NOPAL_QEMU_AARCH64 NAMES qemu-aarch64-static qemu-aarch64
             DOC "runs the tests for AArch64")
set(CMAKE_CROSSCOMPILING_EMULATOR ${NOPAL_QEMU_AARCH64})
