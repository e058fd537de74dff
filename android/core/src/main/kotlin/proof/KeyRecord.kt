// What does the SDK remember of its key? Who knows it, for which call it was made, and when its
// certificates were accepted.
package ringfence.core.proof

import ringfence.core.json.JsonObject

/**
 * A key of one app at one service, as it is stored. Another app or service cannot verify it.
 *
 * `madeFor`: the values of the call that its certificates attest. In milliseconds since 1970:
 * `madeAt`; `triedAt`, when the device last was to attest a key; `acceptedAt`, when the service
 * last got the certificates, or null when it does not have them. Another value has an exception.
 */
@Suppress("UNCHECKED_CAST")
internal class KeyRecord(value: Any?) {
  val members: JsonObject = value as JsonObject
  val madeFor: Map<String, String> = members["madeFor"] as Map<String, String>

  /** SHA-256 of the text of that call. */
  val challenge: ByteArray = sha256(signedText(madeFor).toByteArray())

  /** That of the call, so that no other key has it: not of another process, or another phone. */
  val name: String = base64url(challenge)

  fun with(member: String, value: Long?): KeyRecord = KeyRecord(members + (member to value))

  /** A service deletes a key that is not used for months. */
  fun isAccepted(now: Long): Boolean = isWithin(30, "acceptedAt", now)

  /**
   * Whether the device may attest another key, if it has not attested this one: a new phone may
   * have no keys for that yet. A new key is a new installation, so an older one stays.
   */
  fun mayRetry(now: Long): Boolean =
    members["acceptedAt"] == null && !isWithin(1, "triedAt", now) && isWithin(7, "madeAt", now)

  private fun isWithin(days: Int, member: String, now: Long): Boolean {
    val time = members[member] as? Long ?: return false
    return now - time in 0 until days * 86_400_000L
  }
}
