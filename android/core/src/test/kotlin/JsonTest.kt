package ringfence

import java.math.BigDecimal
import java.math.BigInteger
import java.util.Date
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import ringfence.core.json.JsonException
import ringfence.core.json.canonicalJson
import ringfence.core.json.jsonObjectOf
import ringfence.core.json.jsonText
import ringfence.core.json.readJson
import ringfence.core.proof.base64
import ringfence.core.proof.base64url
import ringfence.core.proof.signedText
import ringfence.core.proof.signedValues

/** With the vectors that the service and the other SDKs are tested with too. */
class JsonTest {
  private fun vectors(name: String) =
    (contract("testdata/signed-text")[name] as List<*>)
      .map { it.members() }
      .also { assertTrue(it.size > 2) }

  @Test
  fun `RFC 8785 - the canonical text is that of the shared vectors`() {
    for (vector in vectors("canonical")) {
      assertEquals(
        vector["canonical"],
        canonicalJson(readJson(vector["json"] as String)),
        "${vector["what"]}",
      )
    }
  }

  @Test
  fun `the signed text is that of the shared vectors`() {
    for (vector in vectors("signed")) {
      assertEquals(
        vector["text"],
        signedText(signedValues(vector["body"].members())),
        "${vector["what"]}",
      )
    }
  }

  @Test
  fun `a number is written with the fewest digits that read as it, also where Java before 19 writes more`() {
    val texts =
      mapOf(
        2.0e-3 to "0.002",
        1.0e23 to "1e+23",
        2.2250738585072014e-308 to "2.2250738585072014e-308",
        2.0e-44 to "2e-44",
        5.684341886080802e-14 to "5.684341886080802e-14",
        9.007199254740993e15 to "9007199254740992",
        4.35 to "4.35",
        1.0e15 to "1000000000000000",
        -0.0 to "0",
      )
    for ((number, text) in texts) assertEquals(text, canonicalJson(number))
    val random = java.util.Random(7)
    repeat(20_000) {
      val number = Double.fromBits(random.nextLong())
      if (number.isFinite()) assertEquals(number, canonicalJson(number).toDouble())
    }
  }

  @Test
  fun `the text that is sent has the same canonical form as the value, and its integers are exact`() {
    val value =
      jsonObjectOf(
        mapOf(
          "big" to Long.MAX_VALUE,
          "huge" to BigInteger("18446744073709551615"),
          "price" to BigDecimal("49.90"),
          "tiny" to Double.MIN_VALUE,
          "float" to 0.1f,
          "text" to "\u0000\u001F\u2028🙂é\"\\/",
          "é" to 1,
          "half \uD800" to "\uDC00 a \uD83D",
          "" to listOf(null, true),
        )
      )
    assertEquals(
      canonicalJson(value),
      canonicalJson(readJson(String(jsonText(value).toByteArray()))),
    )
    for (part in listOf("9223372036854775807", "18446744073709551615", "49.90", "\"float\":0.1,")) {
      assertTrue(part in jsonText(value), part)
    }
  }

  @Test
  fun `only values that JSON cannot represent are dropped`() {
    val cycle = HashMap<String, Any?>().also { it["deeper"] = it }
    val values =
      jsonObjectOf(
        mapOf(
          "kept" to "yes",
          "date" to Date(),
          "bytes" to byteArrayOf(1),
          "object" to Any(),
          "nan" to Double.NaN,
          "infinite" to Float.NEGATIVE_INFINITY,
          "closure" to { 1 },
          "numbers" to mapOf(1 to 2),
          "scale" to BigDecimal("1e999999999"),
          "list" to listOf(Date(), 2),
          "array" to arrayOf("a", null),
          "nested" to mapOf("date" to Date(), "kept" to 1),
          "text" to StringBuilder("typed"),
          7 to "no name",
          "cycle" to cycle,
        )
      )
    val expected =
      mapOf(
        "kept" to "yes",
        "list" to listOf(2L),
        "array" to listOf("a", null),
        "nested" to mapOf("kept" to 1L),
        "text" to "typed",
      )
    assertEquals(expected, values - "cycle")
  }

  @Test
  fun `a huge nested value is dropped in little time and memory`() {
    val doubling = (1..40).fold<Int, Any>(1) { value, _ -> mapOf("a" to value, "b" to value) }
    val values =
      jsonObjectOf(mapOf("kept" to 1, "doubling" to doubling, "many" to List(20_000) { 1 }))
    assertEquals(mapOf<String, Any?>("kept" to 1L), values)
    assertEquals(10_000, jsonObjectOf((1..20_000).associate { "$it" to 1 }).size)
  }

  @Test
  fun `a text that is not JSON is refused`() {
    val texts =
      listOf(
        "",
        " ",
        "{",
        "[1",
        "[1,]",
        "{\"a\":1,}",
        "{\"a\"}",
        "{a:1}",
        "nul",
        "True",
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "--1",
        "\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"\\u12g4\"",
        "\"\n\"",
        "1 2",
        "[1]]",
        "1e999",
        "9".repeat(500),
        "NaN",
        "'a'",
        "<!doctype html>",
        "[".repeat(500) + "]".repeat(500),
        "{\"a\":".repeat(500) + "1" + "}".repeat(500),
      )
    for (text in texts) assertThrows(JsonException::class.java, { readJson(text) }, text.take(20))
  }

  @Test
  fun `a text that is JSON is read as it is`() {
    val text =
      " {\"a\" : [1, -2.5e1, true, false, null, \"\\ud83d\\ude42\\n\\/\"], \"a2\":{}, \"long\":9223372036854775807} "
    val expected =
      mapOf(
        "a" to listOf(1L, -25.0, true, false, null, "🙂\n/"),
        "a2" to emptyMap<String, Any?>(),
        "long" to Long.MAX_VALUE,
      )
    assertEquals(expected, readJson(text))
    assertEquals(18446744073709551616.0, readJson("18446744073709551616"))
  }

  @Test
  fun `base64 is that of the platform for every length`() {
    for (length in 0..70) {
      val bytes = ByteArray(length) { (it * 37 + length * 91).toByte() }
      assertEquals(java.util.Base64.getEncoder().encodeToString(bytes), base64(bytes))
      assertEquals(
        java.util.Base64.getUrlEncoder().withoutPadding().encodeToString(bytes),
        base64url(bytes),
      )
    }
  }
}
