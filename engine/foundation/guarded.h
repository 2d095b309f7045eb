// Where other people's code may throw whatever it likes: at the entry of a thread, at the edge of a library.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/foundation/result.h"

namespace slipstick {

/// What a failure that nobody expected is called.
/// @param what  empty: what was thrown is no std::exception
inline Error unexpected(ErrorCode code, const std::string& where, const std::string& what) {
  return {code, what.empty() ? "it failed in a way that has no name" : "it failed unexpectedly: " + what,
          where, "report this, with the file"};
}

inline Error outOfMemory(ErrorCode code, const std::string& where) {
  return {code, "there is not enough memory for it", where, "make it smaller, or close other programs"};
}

/// Does the work; what it throws, of whatever type, becomes an Error.
/// @param code   of that error
/// @param where  what is worked on, as in Error
/// @return what the work returns, a Result; of work that returns nothing a Result<void>
template <class Work>
auto guarded(ErrorCode code, const std::string& where, Work&& work) {
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
    return Guarded(outOfMemory(code, where));
  } catch (const std::length_error&) {  // a container that was asked for more than there can be
    return Guarded(outOfMemory(code, where));
  } catch (const std::exception& exception) {
    return Guarded(unexpected(code, where, exception.what()));
  } catch (...) {
    return Guarded(unexpected(code, where, ""));
  }
}

}  // namespace slipstick
