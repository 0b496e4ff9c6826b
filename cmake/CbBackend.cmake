# cb_backend(<name> [PKG <pkg-config module>] [SOURCES <further files>])
#
# Builds backends/<name>.c into <build>/backends/<name>.so, the loadable module that a worker opens. Where pkg-config does not know the
# library, <name>.absent takes the module's place: one line that says why, which `crypto_bench list` and result rows repeat.

add_custom_target(backends COMMENT "All backend modules")

function(cb_backend name)
  cmake_parse_arguments(ARG "" "PKG" "SOURCES" ${ARGN})
  file(REMOVE ${CB_BACKEND_DIR}/${name}.absent)
  set_property(GLOBAL APPEND PROPERTY CB_BACKEND_NAMES ${name})
  if(ARG_PKG)
    pkg_check_modules(CB_${name} QUIET IMPORTED_TARGET GLOBAL ${ARG_PKG})
    if(NOT CB_${name}_FOUND)
      file(REMOVE ${CB_BACKEND_DIR}/${name}.so)
      file(WRITE ${CB_BACKEND_DIR}/${name}.absent
           "${name} was not found when this was built (pkg-config ${ARG_PKG}); scripts/deps installs it\n")
      message(WARNING "${name}: pkg-config does not know ${ARG_PKG}; built without it (scripts/deps installs it)")
      return()
    endif()
  endif()

  add_library(backend_${name} MODULE ${name}.c ${ARG_SOURCES})
  cb_target(backend_${name})
  add_dependencies(backends backend_${name})
  set_target_properties(backend_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${CB_BACKEND_DIR})
  if(ARG_PKG)
    target_link_libraries(backend_${name} PRIVATE PkgConfig::CB_${name})
  endif()
endfunction()

# Call after the last cb_backend(): a module whose line is gone would still be found beside the program.
function(cb_backends_finish)
  get_property(names GLOBAL PROPERTY CB_BACKEND_NAMES)
  file(GLOB found RELATIVE ${CB_BACKEND_DIR} ${CB_BACKEND_DIR}/*.so ${CB_BACKEND_DIR}/*.absent)
  foreach(file IN LISTS found)
    string(REGEX REPLACE "\\.(so|absent)$" "" name ${file})
    if(NOT name IN_LIST names)
      file(REMOVE ${CB_BACKEND_DIR}/${file})
    endif()
  endforeach()
endfunction()
