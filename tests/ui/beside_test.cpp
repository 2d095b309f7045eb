#include "ui/beside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QThread>
#include <atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/ui/sample_studio.h"

namespace slipstick::ui {
namespace {

using ::testing::ElementsAre;
using testing::eventually;

/// Works until it is asked to stop.
Result<int> untilStopped(const std::stop_token& stop) {
  while (!stop.stop_requested()) QThread::msleep(1);
  return 1;
}

TEST(Beside, WorksOnAnotherThreadAndHandsTheResultToThisOne) {
  Beside<QThread*> beside;
  QThread *worker = nullptr, *receiver = nullptr;
  beside.start(
      ErrorCode::FileUnreadable, "job",
      [](const std::stop_token&) -> Result<QThread*> { return QThread::currentThread(); },
      [&](Result<QThread*> result) {
        worker = *result;
        receiver = QThread::currentThread();
      });
  EXPECT_TRUE(beside.isRunning());
  EXPECT_EQ(receiver, nullptr) << "before the event loop has its turn";
  ASSERT_TRUE(eventually([&] { return receiver != nullptr; }));
  EXPECT_FALSE(beside.isRunning());
  EXPECT_EQ(receiver, QThread::currentThread());
  EXPECT_NE(worker, receiver);
}

TEST(Beside, AResultNeedNotBeCopyable) {
  Beside<std::unique_ptr<int>> beside;
  int result = 0;
  beside.start(
      ErrorCode::FileUnreadable, "job",
      [](const std::stop_token&) -> Result<std::unique_ptr<int>> { return std::make_unique<int>(7); },
      [&](Result<std::unique_ptr<int>> made) { result = **made; });
  EXPECT_TRUE(eventually([&] { return result == 7; }));
}

TEST(Beside, WhatTheWorkThrowsIsAnErrorThatSaysWhere) {
  Beside<int> beside;
  std::optional<Error> error;
  beside.start(
      ErrorCode::FileUnwritable, "table.csv",
      [](const std::stop_token&) -> Result<int> { throw std::runtime_error("disk on fire"); },
      [&](const Result<int>& result) { error = result.error(); });
  ASSERT_TRUE(eventually([&] { return error.has_value(); }));
  EXPECT_EQ(error->code, ErrorCode::FileUnwritable);
  EXPECT_EQ(error->where, "table.csv");
  EXPECT_THAT(error->what, ::testing::HasSubstr("disk on fire"));
}

TEST(Beside, JobsAreDoneInTheirOrder) {
  Beside<int> beside;
  std::vector<int> done;
  for (int i = 0; i < 5; ++i)
    beside.start(
        ErrorCode::FileUnreadable, "job",
        [i](const std::stop_token&) -> Result<int> {
          QThread::msleep(static_cast<unsigned long>(5 - i));  // later ones would overtake
          return i;
        },
        [&](const Result<int>& result) { done.push_back(*result); });
  ASSERT_TRUE(eventually([&] { return !beside.isRunning(); }));
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3, 4));
}

TEST(Beside, AJobThatIsStoppedStillHandsItsResultOver) {
  Beside<int> beside;
  int result = 0;
  beside.start(ErrorCode::FileUnreadable, "job", untilStopped,
               [&](const Result<int>& made) { result = *made; });
  beside.stop();
  EXPECT_TRUE(beside.isRunning());
  EXPECT_TRUE(eventually([&] { return result == 1; }));
}

TEST(Beside, NobodyHearsOfAJobThatIsCancelledAndTheNextOneWaitsForItsEnd) {
  Beside<int> beside;
  std::vector<std::string> heard;
  std::atomic<bool> hasEnded = false;
  beside.start(
      ErrorCode::FileUnreadable, "first",
      [&](const std::stop_token& stop) {
        Result<int> result = untilStopped(stop);
        QThread::msleep(20);
        hasEnded = true;
        return result;
      },
      [&](const Result<int>&) { heard.push_back("first"); });
  beside.cancel();
  EXPECT_FALSE(beside.isRunning());
  beside.start(
      ErrorCode::FileUnreadable, "second",
      [&](const std::stop_token& stop) -> Result<int> {
        EXPECT_FALSE(stop.stop_requested());
        return hasEnded ? 1 : 0;
      },
      [&](const Result<int>& result) { heard.push_back(*result == 1 ? "second, after it" : "second"); });
  ASSERT_TRUE(eventually([&] { return !beside.isRunning(); }));
  EXPECT_THAT(heard, ElementsAre("second, after it"));
}

TEST(Beside, WhoDestroysItWaitsAndHearsNothing) {
  bool isHeard = false;
  std::atomic<bool> hasEnded = false;
  {
    Beside<int> beside;
    beside.start(
        ErrorCode::FileUnreadable, "job",
        [&](const std::stop_token& stop) {
          Result<int> result = untilStopped(stop);
          hasEnded = true;
          return result;
        },
        [&](const Result<int>&) { isHeard = true; });
  }
  EXPECT_TRUE(hasEnded);
  QCoreApplication::processEvents();
  EXPECT_FALSE(isHeard);
}

}  // namespace
}  // namespace slipstick::ui
