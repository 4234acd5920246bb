# cpack: the Debian packages, and tarballs of an installed tree and of the sources.
#
#   cpack -G DEB   nopal, libnopal4, libnopal-dev, nopal-clang-22, nopal-doc; and nopal-clang-19
#                  where that Clang was at hand
#   cpack -G TXZ   an installed tree, which can be unpacked anywhere
#   cpack -G TXZ --config CPackSourceConfig.cmake   the sources
# (In the build folder.) SOURCE_DATE_EPOCH is the time that the archives name. Tested by
# tests/install/packages.

set(NOPAL_MAINTAINER "Nopal maintainers <maintainers@users.noreply.github.com>" CACHE STRING
    "whom the packages name, as in the changelog")

set(CPACK_PACKAGE_NAME nopal)
set(CPACK_PACKAGE_VENDOR Nopal)
set(CPACK_PACKAGE_CONTACT ${NOPAL_MAINTAINER})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_SOURCE_GENERATOR TXZ)
# Written once more into a file of CMake, so each backslash is doubled.
set(CPACK_SOURCE_IGNORE_FILES "/\\\\.git(/|$)" "/build[^/]*/" __pycache__ "/shared(/|$)")
set(CPACK_SOURCE_PACKAGE_FILE_NAME nopal-${PROJECT_VERSION})

# The component `tree` is what an installed tree has and no package.
set(CPACK_COMPONENTS_ALL runtime dev compiler tools doc)
foreach(version ${NOPAL_OTHER_LLVM_VERSIONS})
  list(APPEND CPACK_COMPONENTS_ALL compiler${version})
endforeach()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${NOPAL_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY =)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# nopal_package(COMPONENT NAME SECTION DEPENDS SUMMARY TEXT)
function(nopal_package component name section depends summary text)
  string(TOUPPER ${component} prefix)
  string(PREPEND prefix CPACK_DEBIAN_)
  set(${prefix}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(${prefix}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(${prefix}_PACKAGE_DEPENDS "${depends}" PARENT_SCOPE)
  # The first line is the synopsis.
  set(${prefix}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
endfunction()
set(same "(= ${PROJECT_VERSION})")
nopal_package(runtime libnopal${NOPAL_ABI_VERSION} libs ""
  "Cilk's runtime: workers, deques and a segmented cactus stack"
  "What programs need that Nopal has compiled: cilk_spawn, cilk_sync and
cilk_for run on a pool of workers that steal from each other. The libraries
that measure work and span and that detect races are here, too.")
nopal_package(dev libnopal-dev libdevel "libnopal${NOPAL_ABI_VERSION} ${same}"
  "Cilk's headers, static runtime and compiler driver"
  "The headers, the static libraries, the files by which CMake and pkg-config
find Nopal, and nopal-clang and nopal-clang++, which run Clang with the plugin
of a nopal-clang-VERSION. With CILK_SERIAL defined any compiler builds the
serial program.")
set(plugins)
foreach(version ${NOPAL_LLVM_VERSION} ${NOPAL_OTHER_LLVM_VERSIONS})
  set(component compiler)
  if(NOT version EQUAL NOPAL_LLVM_VERSION)
    string(APPEND component ${version})
  endif()
  nopal_package(${component} nopal-clang-${version} devel
    "clang-${version}, libnopal-dev ${same}"
    "Cilk for Clang ${version}: the plugin"
    "A plugin for the stock Clang ${version} that compiles cilk_spawn, cilk_sync and
cilk_for.")
  list(APPEND plugins "nopal-clang-${version} ${same}")
endforeach()
list(JOIN plugins " | " plugins)
nopal_package(tools nopal devel "${plugins}, libnopal-dev ${same}, python3"
  "Cilk on a stock Clang: compiler, runtime and tools"
  "Fork-join parallelism for C and C++: serial code with cilk_spawn, cilk_sync and
cilk_for. This package brings the compiler's plugin, the headers and the tools.")
nopal_package(doc nopal-doc doc ""
  "Cilk on a stock Clang: documentation and examples"
  "The user guide, the pages about how Nopal works, and the examples.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA
    ${PROJECT_SOURCE_DIR}/runtime/packaging/debian/triggers)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
# nopal-view asks for the Python packages when it needs them.
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS
    "nopal-doc, python3-jinja2, python3-pyelftools, python3-rich")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS gdb)

include(CPack)
