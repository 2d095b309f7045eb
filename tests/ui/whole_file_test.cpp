#include "ui/whole_file.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QTemporaryDir>

namespace slipstick::ui {
namespace {

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

TEST(WholeFile, TakesThePlaceOfTheOldOne) {
  const QTemporaryDir folder;
  const QString file = folder.filePath("f.txt");
  ASSERT_TRUE(writeWhole("old", file).ok());
  ASSERT_TRUE(writeWhole("new", file).ok());
  EXPECT_EQ(bytesOf(file), "new");
}

TEST(WholeFile, AFolderThatIsMissingIsAnErrorWithAReason) {
  const QTemporaryDir folder;
  const Result<void> written = writeWhole("text", folder.filePath("missing/f.txt"));
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::FileUnwritable);
  EXPECT_NE(written.error().what.find("No such file"), std::string::npos) << written.error().what;
}

}  // namespace
}  // namespace slipstick::ui
