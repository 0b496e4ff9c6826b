# CB_COMMIT: the commit that is built, for `crypto_bench -V` and result files; "unknown" outside a checkout.
set(CB_COMMIT unknown)
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12
                  WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE cb_described RESULT_VARIABLE cb_failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT cb_failed)
    set(CB_COMMIT ${cb_described})
  endif()
endif()
