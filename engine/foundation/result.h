// Errors of the outside world (files, devices): a value, never an exception across a thread or a library's
// edge.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "engine/foundation/require.h"

namespace slipstick {

enum class ErrorCode {
  FileNotFound,
  FileUnreadable,
  FileUnwritable,
  SyntaxError,    ///< the file is not what its format says (broken XML, broken YAML)
  UnknownName,    ///< a key, reference or option that does not exist
  InvalidValue,   ///< a value of the wrong type, or outside what physics or the format allows
  Unsupported,    ///< understood, but this program cannot simulate or show it
  DeviceFailure,  ///< OpenGL, EGL, CUDA, codec
  SimulationFailed,
  Cancelled,  ///< a person ended it; nothing is wrong
};

/// One thing that went wrong, in words for the person who can mend it.
struct Error {
  ErrorCode code = ErrorCode::InvalidValue;
  std::string what;    ///< what is wrong: "mass of link 'hand' is not a number"
  std::string where;   ///< file and line, key path or element: "arm.urdf:12, link 'hand'"
  std::string remedy;  ///< what to do: "write a mass in kg greater than 0"

  /// "where: what. remedy." in one line.
  std::string message() const;
};

/// A value, or the Error that prevented it.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}  // NOLINT(google-explicit-constructor): reads as a return
  Result(Error error) : content_(std::move(error)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return std::holds_alternative<T>(content_); }
  explicit operator bool() const { return ok(); }

  T& value() & {
    SIM_REQUIRE(ok(), error().message());
    return std::get<T>(content_);
  }
  const T& value() const& {
    SIM_REQUIRE(ok(), error().message());
    return std::get<T>(content_);
  }
  T&& value() && {
    SIM_REQUIRE(ok(), error().message());
    return std::get<T>(std::move(content_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const { return std::get<Error>(content_); }

 private:
  std::variant<T, Error> content_;
};

/// Success without a value, or an Error.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace slipstick
