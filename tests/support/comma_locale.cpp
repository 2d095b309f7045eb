#include "tests/support/comma_locale.h"

#include <gtest/gtest.h>

#include <array>
#include <clocale>
#include <cstdio>
#include <cstdlib>

namespace slipstick::testing {
namespace {

constexpr const char* kName = "de_DE.UTF-8";

std::string halfInTheCLibrary() {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.1f", 0.5);
  return text.data();
}

}  // namespace

CommaLocale::CommaLocale() : before_(std::setlocale(LC_ALL, nullptr)) {
  std::string name = (std::filesystem::temp_directory_path() / "slipstick_locale_XXXXXX").string();
  folder_ = mkdtemp(name.data());
  const std::string build = "localedef --no-archive -i de_DE -f UTF-8 '" + (folder_ / kName).string() + "'";
  EXPECT_EQ(std::system(build.c_str()), 0) << build << " (package locales)";
  setenv("LOCPATH", folder_.c_str(), 1);
  setenv("LC_ALL", kName, 1);
  EXPECT_NE(std::setlocale(LC_ALL, ""), nullptr) << kName << " cannot be used";
  EXPECT_EQ(halfInTheCLibrary(), "0,5");
}

CommaLocale::~CommaLocale() {
  std::setlocale(LC_ALL, before_.c_str());
  unsetenv("LC_ALL");
  unsetenv("LOCPATH");
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string CommaLocale::environment() const {
  return "LOCPATH='" + folder_.string() + "' LC_ALL=" + kName;
}

}  // namespace slipstick::testing
