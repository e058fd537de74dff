// What does a key sign? Session, challenge, request and body, so that the proof is valid for one
// call only.
package ringfence.core.proof

import java.security.MessageDigest
import java.security.SecureRandom
import ringfence.core.json.JsonObject
import ringfence.core.json.canonicalJson

private val names = listOf("tsId", "challenge", "requestId", "bodyDigest")

/** What a key signs of one call, by name. `proof` and `attestation` are not part of the body. */
internal fun signedValues(body: JsonObject): Map<String, String> {
  val covered = body - setOf("proof", "attestation")
  val digest = base64url(sha256(canonicalJson(covered).toByteArray()))
  return names.associateWith { if (it == "bodyDigest") digest else body[it] as? String ?: "" }
}

/** The text that every platform signs. */
internal fun signedText(values: Map<String, String>): String =
  (listOf("ringfence-proof-v1") + names.map { values[it] }).joinToString("\n")

internal fun sha256(bytes: ByteArray): ByteArray =
  MessageDigest.getInstance("SHA-256").digest(bytes)

/** Proves that a sign-in is finished where it was started. (RFC 7636) */
internal fun newCodeVerifier(): String =
  base64url(ByteArray(32).also { SecureRandom().nextBytes(it) })

/** S256 of RFC 7636. */
internal fun challengeOf(codeVerifier: String): String =
  base64url(sha256(codeVerifier.toByteArray()))
