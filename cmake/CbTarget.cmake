# What every target of ours gets: the contract's headers, warnings, banned calls, sanitizers.
#
# The include paths are the first rule of the house: code in src/ sees include/ and src/, code in backends/ sees include/ and
# its library, and nothing makes one visible to the other.

set(CB_CONTRACT_DIR ${CMAKE_SOURCE_DIR}/include)

function(cb_target target)
  target_include_directories(${target} PRIVATE ${CB_CONTRACT_DIR})
  target_compile_options(${target} PRIVATE
    -include ${CB_CONTRACT_DIR}/crypto_bench/banned.h
    -Wall -Wextra -Wshadow -Wconversion -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef)
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  if(CB_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(CB_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${CB_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${CB_SANITIZE})
  endif()
  if(CB_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -O0)
    target_link_options(${target} PRIVATE --coverage)
  endif()
endfunction()

# A stage of the pipeline: a static library of src/<stage>/.
function(cb_stage target)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${target} STATIC ${ARG_SOURCES})
  cb_target(${target})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CB_CONTRACT_DIR})
  target_link_libraries(${target} PUBLIC ${ARG_LIBRARIES})
endfunction()
