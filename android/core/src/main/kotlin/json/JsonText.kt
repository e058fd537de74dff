// How is a value written? Exactly, for a body; and in the one form that two programs agree on, for
// a signature. (RFC 8785)
package ringfence.core.json

import java.math.BigDecimal
import java.math.BigInteger
import java.math.MathContext
import java.math.RoundingMode
import kotlin.math.abs

/**
 * The text of a body. Members are sorted, so that a retry sends the same text. Integers stay exact.
 */
public fun jsonText(value: Any?): String = buildString {
  JsonWriter(this, ::exactNumber).write(value)
}

/**
 * The text of the JSON Canonicalization Scheme: as ECMAScript writes it, members sorted, no white
 * space.
 */
public fun canonicalJson(value: Any?): String = buildString {
  JsonWriter(this) { canonicalNumber(it.toString().toDouble()) }.write(value)
}

private fun exactNumber(number: Number): String =
  if (number is Double) canonicalNumber(number) else number.toString()

private class JsonWriter(
  private val text: StringBuilder,
  private val numberText: (Number) -> String,
) {
  fun write(value: Any?) {
    when (value) {
      null,
      is Boolean -> text.append(value)
      is Number -> text.append(numberText(value))
      is String -> writeString(value)
      is List<*> -> writeAll('[', value, ']') { write(it) }
      // Text is compared by its UTF-16 units, as RFC 8785 says.
      is Map<*, *> ->
        writeAll('{', value.keys.map { it as String }.sorted(), '}') { name ->
          writeString(name)
          text.append(':')
          write(value[name])
        }
      else -> error("not a value of JSON: ${value.javaClass}")
    }
  }

  private fun <Part> writeAll(
    open: Char,
    parts: List<Part>,
    close: Char,
    writePart: (Part) -> Unit,
  ) {
    text.append(open)
    parts.forEachIndexed { index, part ->
      if (index > 0) text.append(',')
      writePart(part)
    }
    text.append(close)
  }

  private fun writeString(string: String) {
    text.append('"')
    for (char in string) {
      when (char) {
        '"' -> text.append("\\\"")
        '\\' -> text.append("\\\\")
        '\b' -> text.append("\\b")
        '\t' -> text.append("\\t")
        '\n' -> text.append("\\n")
        '\u000C' -> text.append("\\f")
        '\r' -> text.append("\\r")
        in '\u0000'..'\u001F' -> text.append("\\u").append(char.code.toString(16).padStart(4, '0'))
        else -> text.append(char)
      }
    }
    text.append('"')
  }
}

/** Number::toString of ECMAScript. */
private fun canonicalNumber(number: Double): String {
  if (!number.isFinite()) return "null" // JSON has no such number
  if (number == 0.0) return "0"
  val decimal = shortestDecimal(abs(number))
  val digits = decimal.unscaledValue().toString()
  val count = digits.length
  val point = count - decimal.scale()
  val sign = if (number < 0) "-" else ""
  return sign +
    when {
      point in count..21 -> digits + "0".repeat(point - count)
      point in 1..21 -> digits.take(point) + "." + digits.drop(point)
      point in -5..0 -> "0." + "0".repeat(-point) + digits
      else -> {
        val fraction = if (count == 1) "" else "." + digits.drop(1)
        digits.take(1) + fraction + (if (point > 0) "e+" else "e-") + abs(point - 1)
      }
    }
}

/**
 * The fewest digits that read as this number. `Double.toString` of Android and of Java before 19
 * has too many of some.
 */
private fun shortestDecimal(magnitude: Double): BigDecimal {
  if (magnitude < 1e15 && magnitude == magnitude.toLong().toDouble()) {
    return BigDecimal(BigInteger.valueOf(magnitude.toLong())).stripTrailingZeros()
  }
  val exact = BigDecimal(magnitude)
  for (digits in 1..17) {
    // At the middle of two, the even one. At a power of two only the farther one may read as this
    // number.
    val nearest =
      listOf(RoundingMode.HALF_EVEN, RoundingMode.FLOOR, RoundingMode.CEILING)
        .map { exact.round(MathContext(digits, it)) }
        .filter { it.toString().toDouble() == magnitude }
        .minByOrNull { (it - exact).abs() }
    if (nearest != null) return nearest.stripTrailingZeros()
  }
  return exact
}
