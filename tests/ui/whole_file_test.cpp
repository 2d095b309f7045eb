#include "ui/whole_file.h"

#include <gtest/gtest.h>

#include <QDir>
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

TEST(WholeFile, AFreeNameGoesBeforeTheSuffix) {
  const QTemporaryDir folder;
  const QString wanted = folder.filePath("a-1.5s.png");
  EXPECT_EQ(freeFile(wanted), wanted);
  ASSERT_TRUE(writeWhole("one", wanted));
  EXPECT_EQ(freeFile(wanted), folder.filePath("a-1.5s-2.png"));
  ASSERT_TRUE(writeWhole("two", freeFile(wanted)));
  EXPECT_EQ(freeFile(wanted), folder.filePath("a-1.5s-3.png"));
  ASSERT_TRUE(QDir(folder.path()).mkdir("frames"));
  EXPECT_EQ(freeFile(folder.filePath("frames")), folder.filePath("frames-2"));
}

}  // namespace
}  // namespace slipstick::ui
