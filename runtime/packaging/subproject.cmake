# Nopal as a part of another build (add_subdirectory, FetchContent): the targets that
# find_package(Nopal) defines, of this build. Included by CMakeLists.txt at its end.

# Ninja lets the files of a target wait for the custom targets that it depends on, but not for
# libraries: those are for its link.
add_custom_target(nopal_plugin_file)
add_dependencies(nopal_plugin_file NopalPlugin)

foreach(kind IN ITEMS "" _static)
  if(kind)
    set(runtime nopal_static)
  else()
    set(runtime nopal_shared)
  endif()
  add_library(nopal_cilk${kind} INTERFACE)
  target_link_libraries(nopal_cilk${kind} INTERFACE ${runtime})
  # What links it is compiled after the plugin.
  add_dependencies(nopal_cilk${kind} nopal_plugin_file)
  foreach(option ${NOPAL_PLUGIN_OPTIONS})
    target_compile_options(nopal_cilk${kind} INTERFACE
      $<$<COMPILE_LANGUAGE:C,CXX>:${option}$<TARGET_FILE:NopalPlugin>>)
  endforeach()
  target_link_options(nopal_cilk${kind} INTERFACE LINKER:-z,nodelete) # see nopal.cfg
  add_library(Nopal::cilk${kind} ALIAS nopal_cilk${kind})
endforeach()
target_link_libraries(nopal_cilk_static INTERFACE ${NOPAL_STATIC_LINK_FLAGS})

add_library(nopal_span INTERFACE)
target_compile_definitions(nopal_span INTERFACE __cilkscale__)
target_compile_options(nopal_span INTERFACE "SHELL:-Xclang=-mllvm -Xclang=-nopal-span")
target_link_libraries(nopal_span INTERFACE nopal_span_shared nopal_cilk)
add_library(Nopal::span ALIAS nopal_span)

add_library(nopal_race INTERFACE)
target_compile_options(nopal_race INTERFACE ${NOPAL_RACE_OPTIONS})
target_link_libraries(nopal_race INTERFACE nopal_race_shared nopal_cilk)
add_library(Nopal::race ALIAS nopal_race)
