// Where other people's code may throw whatever it likes: at the entry of a thread, at the edge of a library.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "engine/foundation/result.h"

namespace slipstick {

/// Error for an unexpected exception.
/// @param what  empty: what was thrown is no std::exception
inline Error unexpected(ErrorCode code, std::string_view where, std::string_view what) {
  return {code,
          what.empty() ? "an unknown exception was thrown" : "it failed unexpectedly: " + std::string(what),
          std::string(where), "report this, with the file"};
}

inline Error outOfMemory(ErrorCode code, std::string_view where) {
  return {code, "there is not enough memory for it", std::string(where),
          "make it smaller, or close other programs"};
}

/// The error that is made; where there is no memory for its words either, one of so few that they need none.
template <class Make>
Error errorOrItsShortForm(ErrorCode code, const Make& make) noexcept {
  try {
    return make();
  } catch (...) {
    Error error;
    error.code = code;
    error.what = "out of memory";
    return error;
  }
}

/// Does the work; what it throws, of whatever type, becomes an Error.
/// @param code   of that error
/// @param where  what is worked on, as in Error; of a path its native(): a string made for this call could fail outside the
///               guard
/// @return what the work returns, a Result; of work that returns nothing a Result<void>
template <class Work>
auto guarded(ErrorCode code, std::string_view where, Work&& work) {
  using Returned = std::invoke_result_t<Work>;
  using Guarded = std::conditional_t<std::is_void_v<Returned>, Result<void>, Returned>;
  try {
    if constexpr (std::is_void_v<Returned>) {
      std::forward<Work>(work)();
      return Guarded();
    } else {
      return Guarded(std::forward<Work>(work)());
    }
  } catch (const std::bad_alloc&) {
    return Guarded(errorOrItsShortForm(code, [&] { return outOfMemory(code, where); }));
  } catch (const std::length_error&) {  // a container that was asked for more than there can be
    return Guarded(errorOrItsShortForm(code, [&] { return outOfMemory(code, where); }));
  } catch (const std::exception& exception) {
    return Guarded(errorOrItsShortForm(code, [&] { return unexpected(code, where, exception.what()); }));
  } catch (...) {
    return Guarded(errorOrItsShortForm(code, [&] { return unexpected(code, where, ""); }));
  }
}

/// What a destructor tries: it ends as far as it came.
template <class Work>
void attempt(Work&& work) noexcept {
  try {
    std::forward<Work>(work)();
  } catch (...) {  // there is nobody to tell
  }
}

}  // namespace slipstick
