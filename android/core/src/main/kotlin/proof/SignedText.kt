// What does a key sign? Session, challenge, request and body, so that the proof is valid for one
// call only.
package ringfence.core.proof

import java.security.MessageDigest
import ringfence.core.json.JsonObject
import ringfence.core.json.canonicalJson

/**
 * The text that every platform signs. `proof` and `attestation` are not part of the body that it
 * covers.
 */
internal fun signedText(body: JsonObject): String {
  val covered = body - setOf("proof", "attestation")
  val digest = base64url(sha256(canonicalJson(covered).toByteArray()))
  val call = listOf("tsId", "challenge", "requestId").map { body[it] as? String ?: "" }
  return (listOf("ringfence-proof-v1") + call + digest).joinToString("\n")
}

internal fun sha256(bytes: ByteArray): ByteArray =
  MessageDigest.getInstance("SHA-256").digest(bytes)
