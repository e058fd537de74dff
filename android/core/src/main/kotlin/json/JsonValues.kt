// Which values can a body contain? Those of JSON, taken from whatever the app passes.
package ringfence.core.json

import java.math.BigDecimal
import java.math.BigInteger

/**
 * Members of a JSON object: null, Boolean, Long, Double, BigInteger, BigDecimal, String, List and
 * Map.
 */
public typealias JsonObject = Map<String, Any?>

private const val MAX_DEPTH = 32
private const val MAX_PARTS = 10_000

/** Numbers with more digits are dropped: writing them could take all memory. */
private const val MAX_DIGITS = 400

/**
 * The values of the app that JSON can represent. All others are dropped, in lists and maps too:
 * dates, infinite numbers, nesting of more than 32 levels. A value with more than 10 000 parts is
 * dropped as a whole.
 */
public fun jsonObjectOf(values: Map<*, *>): JsonObject {
  val members = LinkedHashMap<String, Any?>()
  for ((name, value) in values) {
    if (members.size == MAX_PARTS) break
    val read = ValueReader().read(value, 0)
    if (name is String && read != dropped) members[wellFormed(name)] = read
  }
  return members
}

/** In place of a value that JSON cannot represent: null is a value of JSON. */
private val dropped = Any()

private class ValueReader {
  private var parts = 0

  /** A value, or `dropped`. */
  fun read(value: Any?, depth: Int): Any? {
    val read = readPart(value, depth)
    return if (parts > MAX_PARTS) dropped else read
  }

  private fun readPart(value: Any?, depth: Int): Any? {
    parts += 1
    if (depth >= MAX_DEPTH || parts > MAX_PARTS) return dropped
    return when (value) {
      null,
      is Boolean -> value
      is Number -> numberOf(value)
      is CharSequence,
      is Char -> wellFormed(value.toString())
      is Map<*, *> -> readMap(value, depth)
      is Iterable<*> -> readAll(value.iterator(), depth)
      is Array<*> -> readAll(value.iterator(), depth)
      else -> dropped
    }
  }

  private fun readMap(map: Map<*, *>, depth: Int): Any {
    val members = LinkedHashMap<String, Any?>()
    for ((name, value) in map) {
      if (name !is String) return dropped
      val read = readPart(value, depth + 1)
      if (parts > MAX_PARTS) return dropped
      if (read != dropped) members[wellFormed(name)] = read
    }
    return members
  }

  private fun readAll(values: Iterator<*>, depth: Int): Any {
    val read = ArrayList<Any?>()
    for (value in values) {
      val part = readPart(value, depth + 1)
      if (parts > MAX_PARTS) return dropped
      if (part != dropped) read.add(part)
    }
    return read
  }
}

private fun numberOf(number: Number): Any? =
  when (number) {
    is Long,
    is Int,
    is Short,
    is Byte -> number.toLong()
    // By its text: 0.1f is 0.1, not 0.10000000149011612.
    is Float -> number.toString().toDouble().takeIf { it.isFinite() } ?: dropped
    is Double -> number.takeIf { it.isFinite() } ?: dropped
    is BigInteger -> number.takeIf { it.bitLength() <= 3 * MAX_DIGITS } ?: dropped
    is BigDecimal ->
      number.takeIf { it.precision() <= MAX_DIGITS && it.scale() in -300..MAX_DIGITS } ?: dropped
    else -> dropped
  }

/** Without half characters, which UTF-8 cannot represent: they become U+FFFD. */
private fun wellFormed(text: String): String {
  if (text.none { it.isSurrogate() }) return text
  val result = StringBuilder(text)
  var index = 0
  while (index < result.length) {
    val isPair =
      result[index].isHighSurrogate() &&
        index + 1 < result.length &&
        result[index + 1].isLowSurrogate()
    if (!isPair && result[index].isSurrogate()) result.setCharAt(index, '\uFFFD')
    index += if (isPair) 2 else 1
  }
  return result.toString()
}
