// What does a response say? JSON, read strictly and within limits. (RFC 8259)
package ringfence.core.json

/** Threads of phones have small stacks. */
private const val MAX_DEPTH = 64
private const val MAX_NUMBER = 400
private const val END = '\u0000'
private val NUMBER = Regex("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?")

/** The text is not JSON, or nested deeper than the service ever writes. */
public class JsonException(message: String) : Exception(message)

/** Reads a value. Integers that fit are Long, all other numbers Double. Throws JsonException. */
@Throws(JsonException::class) public fun readJson(text: String): Any? = JsonReader(text).readAll()

private class JsonReader(private val text: String) {
  private var at = 0

  fun readAll(): Any? {
    val value = readValue(0)
    if (peek() != END) fail("text after the end")
    return value
  }

  private fun readValue(depth: Int): Any? {
    if (depth > MAX_DEPTH) fail("nested too deep")
    return when (peek()) {
      '{' -> readObject(depth)
      '[' -> readList(depth)
      '"' -> readString()
      't' -> readWord("true", true)
      'f' -> readWord("false", false)
      'n' -> readWord("null", null)
      else -> readNumber()
    }
  }

  private fun readObject(depth: Int): JsonObject {
    val members = LinkedHashMap<String, Any?>()
    readParts('}') {
      if (peek() != '"') fail("a name is missing")
      val name = readString()
      take(':')
      members[name] = readValue(depth + 1)
    }
    return members
  }

  private fun readList(depth: Int): List<Any?> {
    val parts = ArrayList<Any?>()
    readParts(']') { parts.add(readValue(depth + 1)) }
    return parts
  }

  private fun readParts(close: Char, readPart: () -> Unit) {
    at += 1
    if (peek() == close) {
      at += 1
      return
    }
    while (true) {
      readPart()
      if (peek() != ',') return take(close)
      at += 1
    }
  }

  private fun readString(): String {
    at += 1
    val string = StringBuilder()
    while (true) {
      val char = next()
      when {
        char == '"' -> return string.toString()
        char == '\\' -> string.append(readEscape())
        char < ' ' -> fail("a control character in a string")
        else -> string.append(char)
      }
    }
  }

  private fun readEscape(): Char =
    when (val char = next()) {
      '"',
      '\\',
      '/' -> char
      'b' -> '\b'
      'f' -> '\u000C'
      'n' -> '\n'
      'r' -> '\r'
      't' -> '\t'
      'u' -> {
        val digits = String(CharArray(4) { next() })
        if (digits.any { it.digitToIntOrNull(16) == null || it.code > 127 })
          fail("an escape without its digits")
        digits.toInt(16).toChar()
      }
      else -> fail("an unknown escape")
    }

  private fun <Value> readWord(word: String, value: Value): Value {
    if (!text.startsWith(word, at)) fail("an unknown word")
    at += word.length
    return value
  }

  private fun readNumber(): Number {
    val start = at
    while (at < text.length && text[at] in "+-.0123456789Ee") at += 1
    val digits = text.substring(start, at)
    if (digits.length > MAX_NUMBER || !NUMBER.matches(digits)) fail("not a value")
    val number = digits.toLongOrNull() ?: digits.toDouble()
    if (number is Double && !number.isFinite()) fail("a number that is too large")
    return number
  }

  /** The next character that is no white space, which stays. */
  private fun peek(): Char {
    while (at < text.length && text[at] in " \t\n\r") at += 1
    return if (at < text.length) text[at] else END
  }

  private fun next(): Char = if (at < text.length) text[at++] else fail("text is missing")

  private fun take(expected: Char) {
    if (peek() != expected) fail("'$expected' is missing")
    at += 1
  }

  private fun fail(what: String): Nothing = throw JsonException("$what at character $at")
}
