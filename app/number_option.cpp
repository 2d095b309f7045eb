#include "app/number_option.h"

#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace {

constexpr int kSmallest = 16, kLargest = 16384;  // of a picture [px]

/// The value, or the whole line of what is wrong with it.
template <class T>
T orRefuse(const Result<T>& value, const std::string& name, const std::string& typed) {
  if (value) return *value;
  Error error = value.error();
  error.where = name + " " + shortened(typed);
  throw UsageError(error.message());
}

template <class Store>
CLI::Option* addReader(CLI::App& verb, const std::string& name, const std::string& description, Store store) {
  return verb
      .add_option_function<std::string>(
          name, [name, store](const std::string& typed) { store(name, typed); }, description)
      ->type_name("NUMBER");
}

}  // namespace

CLI::Option* addNumber(CLI::App& verb, const std::string& name, double& value, const NumberOf& allowed,
                       const std::string& description) {
  return addReader(verb, name, description,
                   [&value, allowed](const std::string& option, const std::string& typed) {
                     value = orRefuse(numberIn(typed, allowed.range, allowed.unit), option, typed);
                   })
      ->default_str(significant(value));
}

CLI::Option* addNumber(CLI::App& verb, const std::string& name, std::optional<double>& value,
                       const NumberOf& allowed, const std::string& description) {
  return addReader(verb, name, description,
                   [&value, allowed](const std::string& option, const std::string& typed) {
                     value = orRefuse(numberIn(typed, allowed.range, allowed.unit), option, typed);
                   });
}

CLI::Option* addNumber(CLI::App& verb, const std::string& name, int& value, const WholeNumberOf& allowed,
                       const std::string& description) {
  return addReader(verb, name, description,
                   [&value, allowed](const std::string& option, const std::string& typed) {
                     value = orRefuse(wholeNumberIn(typed, allowed.lower, allowed.upper), option, typed);
                   })
      ->default_str(std::to_string(value));
}

CLI::Option* addNumbers(CLI::App& verb, const std::string& name, std::vector<double>& values,
                        const NumberOf& allowed, const std::string& description) {
  return addReader(verb, name, description,
                   [&values, allowed](const std::string& option, const std::string& typed) {
                     values.clear();
                     for (std::size_t begin = 0; begin <= typed.size();) {
                       const std::size_t end = std::min(typed.find(',', begin), typed.size());
                       const std::string one = typed.substr(begin, end - begin);
                       values.push_back(orRefuse(numberIn(one, allowed.range, allowed.unit), option, typed));
                       begin = end + 1;
                     }
                   });
}

CLI::Option* addSize(CLI::App& verb, const std::string& name, std::optional<Size>& size,
                     const std::string& description) {
  const auto store = [&size](const std::string& option, const std::string& typed) {
    const std::size_t x = typed.find('x');
    const std::string height = x == std::string::npos ? "" : typed.substr(x + 1);
    const auto side = [&](const std::string& text) {
      Result<int> pixels = wholeNumberIn(text, kSmallest, kLargest, "px");
      if (x != std::string::npos && pixels) return *pixels;
      const std::string what = x == std::string::npos ? "this is not WIDTHxHEIGHT" : pixels.error().what;
      return orRefuse(Result<int>(Error{ErrorCode::InvalidValue, what, "",
                                        "write WIDTHxHEIGHT, each a whole number from 16 to 16384 px"}),
                      option, typed);
    };
    const int width = side(typed.substr(0, x));
    size = Size{width, side(height)};
  };
  return addReader(verb, name, description, store)->type_name("WxH");
}

}  // namespace slipstick::app
