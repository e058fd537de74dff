// How are bytes sent? As base64. (RFC 4648; java.util.Base64 needs Android 8, android.util.Base64
// is not on the JVM)
package ringfence.core.proof

private const val ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

internal fun base64(bytes: ByteArray): String = buildString {
  for (start in bytes.indices step 3) {
    val count = minOf(3, bytes.size - start)
    val bits =
      (0 until 3).fold(0) { all, index ->
        all shl 8 or (bytes.getOrElse(start + index) { 0 }.toInt() and 255)
      }
    for (index in 0..3) append(
      if (index <= count) ALPHABET[bits shr (18 - 6 * index) and 63] else '='
    )
  }
}

/** For URLs, without padding. */
internal fun base64url(bytes: ByteArray): String =
  base64(bytes).trimEnd('=').replace('+', '-').replace('/', '_')
