// What the readers of XML robot files share: well-formed or not, where, and numbers in text.
#include "assets/xml_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "assets/limits.h"
#include "tests/assets/scene_text.h"

namespace slipstick::assets {
namespace {

using testing::expectFault;

std::string faultOf(const std::string& text, const std::string& file = "arm.urdf") {
  tinyxml2::XMLDocument xml;
  const Result<void> parsed = parseXml(file, text, xml);
  return parsed ? "" : parsed.error().message();
}

/// So many elements in each other, and what stands in the innermost.
std::string nested(int depth, const std::string& content = "") {
  std::string text;
  for (int i = 0; i < depth; ++i) text += "<a>";
  text += content;
  for (int i = 0; i < depth; ++i) text += "</a>";
  return text;
}

// ------------------------------------------------------------------------------------------------- whole texts

TEST(ParseXml, ReadsWhatIsWellFormed) {
  tinyxml2::XMLDocument xml;
  ASSERT_TRUE(
      parseXml("arm.urdf", "<?xml version='1.0'?>\n<!-- arm -->\n<robot name='arm'><link/></robot>\n", xml));
  EXPECT_STREQ(xml.RootElement()->Attribute("name"), "arm");
  EXPECT_EQ(xml.RootElement()->GetLineNum(), 3);
}

TEST(ParseXml, NamesTheLineOfWhatIsNot) {
  expectFault(faultOf("<robot>\n<link>\n</joint>\n</robot>"),
              {"arm.urdf:", "mismatched element", "close or correct"});
  expectFault(faultOf("<robot>\n\n<link name=arm/></robot>"),
              {"arm.urdf:3", "parsing attribute", "in quotes"});
  expectFault(faultOf("<robot>"), {"arm.urdf:1", "not well-formed"});
  expectFault(faultOf("robot"), {"arm.urdf", "not well-formed"});
  for (const char* nothing : {"", " \t\r\n"})
    expectFault(faultOf(nothing), {"arm.urdf", "the file is empty"});
}

TEST(ParseXml, RefusesWhatWouldGrowOrRun) {
  expectFault(faultOf("<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"), {"defines XML entities"});
  expectFault(faultOf("<robot>\n<link/>\n<xacro:arm/></robot>"),
              {"arm.urdf:3", "xacro", "--xacro", "'xacro arm.urdf"});
  EXPECT_EQ(faultOf("<robot xmlns:xacro='x'><a><b><c><d><xacro:arm/></d></c></b></a></robot>"), "")
      << "no macro is called so deep";
}

TEST(ParseXml, RefusesWhatIsTooDeep) {
  constexpr int kDeep = limits::kXmlDepth;
  const std::string words = "more than " + std::to_string(kDeep) + " deep";
  EXPECT_EQ(faultOf(nested(kDeep)), "") << "as deep as is allowed";
  EXPECT_EQ(faultOf(nested(kDeep - 1, "<b/>")), "");
  expectFault(faultOf(nested(kDeep + 1)), {words, "arm.urdf:1"});
  expectFault(faultOf(nested(kDeep, "<b/>")), {words, "arm.urdf:1"});
  expectFault(faultOf(nested(5000)), {words, "flatten"});
  EXPECT_EQ(faultOf("<a>" + nested(kDeep - 1) + "<b/>" + nested(kDeep - 1) + "</a>"), "")
      << "one after the other is not in each other";
  expectFault(faultOf("<a><b/>\n" + nested(kDeep) + "</a>"), {"arm.urdf:2"});
}

TEST(ParseXml, RefusesWhatIsTooMuch) {
  const std::string room(limits::kXmlBytes - 4, ' ');
  EXPECT_EQ(faultOf(room + "<a/>"), "");
  expectFault(faultOf(room + " <a/>"), {"more than 4 MiB", "right file"});
  std::string parts(limits::kXmlParts, '=');
  EXPECT_NE(faultOf("<a>" + parts + "</a>"), "");
  parts.resize(limits::kXmlParts - 2);
  EXPECT_EQ(faultOf("<a>" + parts + "</a>"), "") << "with both tags as many as there may be";
}

TEST(IsXacro, ByTheNameOfTheFileOrByWhatItCalls) {
  EXPECT_TRUE(isXacro("arm.urdf.xacro", ""));
  EXPECT_TRUE(isXacro("arm.urdf", "<robot xmlns:xacro='x'><xacro:arm/></robot>"));
  EXPECT_TRUE(isXacro("arm.urdf", "<robot><a><b><c><xacro:arm/></c></b></a></robot>"));
  EXPECT_FALSE(isXacro("arm.urdf", "<robot xmlns:xacro='x'><link/></robot>")) << "it was run through xacro";
  EXPECT_FALSE(isXacro("arm.urdf", "<robot><!-- <xacro:arm/> --></robot>"));
  EXPECT_FALSE(isXacro("arm.urdf", "<robot><xacro:arm></robot>")) << "broken: others say so";
  EXPECT_FALSE(isXacro("arm.urdf", "<robot/>"));
}

TEST(PlaceInFile, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(placeInFile("a/arm.urdf", 12, "<link>"), "a/arm.urdf:12, <link>");
  EXPECT_EQ(placeInFile("arm.urdf", 0, "<link>"), "arm.urdf, <link>");
  EXPECT_EQ(placeInFile("arm.urdf", 12), "arm.urdf:12");
  EXPECT_EQ(placeInFile("arm.urdf", 0), "arm.urdf");
}

// --------------------------------------------------------------------------------------------------------- names

TEST(FirstElementIn, IsBehindDeclarationsAndComments) {
  EXPECT_EQ(firstElementIn("<robot name='a'>"), "robot");
  EXPECT_EQ(firstElementIn("<sdf/>"), "sdf");
  EXPECT_EQ(firstElementIn("<mujoco\n>"), "mujoco");
  EXPECT_EQ(firstElementIn(
                "\xef\xbb\xbf<?xml version='1.0'?><!-- <a> > --><!DOCTYPE x [<!ELEMENT y (z)>]><b c=''>"),
            "b");
  EXPECT_EQ(firstElementIn("<!-- " + std::string(100000, '<') + "--><b>"), "b") << "however long";
  EXPECT_EQ(firstElementIn("<!--><a>--><b>"), "b") << "'>' alone ends no comment";
  EXPECT_EQ(firstElementIn("<?a <b> ?><c>"), "c");
  EXPECT_EQ(firstElementIn("<!DOCTYPE x [<!ENTITY y '<a b=\">\">'><!ENTITY z \"]><d>\">]><c>"), "c");
}

TEST(FirstElementIn, IsNoneWhereNoneHasBegunOrItsNameHasNotEnded) {
  for (const char* text : {"", "robot", "<", "<robot", "<!-- <robot>", "<?xml <robot>", "<!DOCTYPE robot>",
                           "</robot>", "<!DOCTYPE x 'y><robot>", "<1<robot>"})
    EXPECT_EQ(firstElementIn(text), "") << text;
  const std::string text = "<?xml version='1.0'?><!-- <a> --><robot name='b'>";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const bool isWhole = size > text.find(" name");
    EXPECT_EQ(firstElementIn(text.substr(0, size)), isWhole ? "robot" : "") << text.substr(0, size);
  }
}

TEST(FaultOfName, IsALengthOrALineBreak) {
  EXPECT_FALSE(faultOfName(""));
  EXPECT_FALSE(faultOfName("left arm/\u00e9"));
  EXPECT_FALSE(faultOfName(std::string(limits::kNameBytes, 'n')));
  EXPECT_TRUE(faultOfName(std::string(limits::kNameBytes + 1, 'n')));
  for (const char* name : {"a\nb", "\t", "a\x7f", "\x1b[2J"}) EXPECT_TRUE(faultOfName(name)) << name;
  EXPECT_TRUE(faultOfName(std::string_view("a\0", 2)));
}

// ------------------------------------------------------------------------------------------------------- numbers

TEST(NumbersIn, AreSeparatedByAnySpace) {
  using Numbers = std::vector<double>;
  EXPECT_EQ(numbersIn("1 -2.5e-3 +4"), (Numbers{1, -2.5e-3, 4}));
  EXPECT_EQ(numbersIn("\t1\n\r 2  "), (Numbers{1, 2}));
  EXPECT_EQ(numbersIn(""), Numbers());
  EXPECT_EQ(numbersIn(" \n"), Numbers());
  EXPECT_EQ(numbersIn("-inf 1e400"),
            (Numbers{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()}));
  const auto nan = numbersIn("nan");
  ASSERT_TRUE(nan && nan->size() == 1);
  EXPECT_TRUE(std::isnan(nan->front()));
}

TEST(NumbersIn, AreNothingWhereAnyPartIsNoNumber) {
  for (const char* text : {"1,2", "1 x", "1;2", "0x10", "--1", "1e", "1 2m",
                           "1\xc2\xa0"
                           "2",
                           ".", "${x}"})
    EXPECT_FALSE(numbersIn(text)) << text;
}

TEST(VersionIn, CountsHundredsAndOnes) {
  EXPECT_EQ(versionIn("1.7"), 107);
  EXPECT_EQ(versionIn("1.11"), 111);
  EXPECT_EQ(versionIn("2.0"), 200);
  EXPECT_EQ(versionIn("0.1"), 1);
  EXPECT_EQ(versionIn("1.99"), 199);
  EXPECT_LT(*versionIn("1.9"), *versionIn("1.10")) << "not as decimals";
}

TEST(VersionIn, IsNoneWhereItIsNotTwoWholeNumbers) {
  for (const char* text : {"", "1", ".", "1.", ".7", "1.7.2", "-1.7", "+1.7", " 1.7", "1.7 ", "1,7", "v1.7",
                           "1.7b", "1..7", "12345678901.1", "1.12345678901", "1.100"})
    EXPECT_FALSE(versionIn(text)) << text;
}

TEST(NumberOr, TakesOneNumberOrTheFallback) {
  tinyxml2::XMLDocument xml;
  ASSERT_TRUE(parseXml("a", "<a one=' 1.5 ' two='1 2' word='x' none=''>\n two\twords \n</a>", xml));
  const tinyxml2::XMLElement& element = *xml.RootElement();
  EXPECT_EQ(numberOr(element, "one", 7), 1.5);
  for (const char* attribute : {"two", "word", "none", "missing"})
    EXPECT_EQ(numberOr(element, attribute, 7), 7);
  EXPECT_STREQ(attributeOr(element, "word", "y"), "x");
  EXPECT_STREQ(attributeOr(element, "none", "y"), "") << "it is there";
  EXPECT_STREQ(attributeOr(element, "missing", "y"), "y");
  EXPECT_EQ(textOf(element), "two\twords") << "without the spaces around it";
}

TEST(TextOf, IsEmptyWhereThereIsNone) {
  tinyxml2::XMLDocument xml;
  for (const char* text : {"<a/>", "<a></a>", "<a> \n </a>", "<a><b>c</b></a>"}) {
    ASSERT_TRUE(parseXml("a", text, xml));
    EXPECT_EQ(textOf(*xml.RootElement()), "") << text;
  }
}

}  // namespace
}  // namespace slipstick::assets
