#include "engine/foundation/csv_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace slipstick {
namespace {

TEST(CsvRow, QuotesWhatRfc4180AsksFor) {
  CsvRow row;
  row.add("plain text").add("a,b").add("say \"hi\"").add("two\nlines").add("");
  EXPECT_EQ(row.line(), "plain text,\"a,b\",\"say \"\"hi\"\"\",\"two\nlines\",\n");
}

TEST(CsvRow, WritesNumbersThatReadBackAsTheSame) {
  CsvRow row;
  row.add(0.1 + 0.2)
      .add(-0.0)
      .add(std::numeric_limits<double>::quiet_NaN())
      .addWhole(-3)
      .addIndex(7)
      .addIndex(-1);
  EXPECT_EQ(row.line(), "0.30000000000000004,-0,,-3,7,\n");
}

TEST(CsvRow, KeepsAnEmptyCellInFront) {
  CsvRow row;
  row.addNothing().add(1.5);
  EXPECT_EQ(row.line(), ",1.5\n");
}

}  // namespace
}  // namespace slipstick
