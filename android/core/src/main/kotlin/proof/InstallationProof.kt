// How does an engine call prove its installation? By a signature, and once by the certificates of
// its key.
package ringfence.core.proof

import java.util.concurrent.atomic.AtomicBoolean
import ringfence.core.Storage
import ringfence.core.json.JsonObject
import ringfence.core.withinOrNull

private const val ATTEMPTS = 2

/** In a process. A Keystore that loses each key must not cost every call a new one. */
private const val MAX_MADE = 3

/** Signs engine calls. Never fails: without a key the call has no proof, and the log says why. */
internal class InstallationProof(
  private val key: InstallationKey,
  storage: Storage,
  /** The URL of the service: another one does not know the key. */
  private val service: String,
  private val log: (String) -> Unit,
  private val limitMillis: Long = 5_000,
) {
  private val records = KeyRecords(storage)

  /** True while the Keystore works, also after the time limit: it does one thing at a time. */
  private val isBusy = AtomicBoolean()

  /** New keys of this process. */
  private var made = 0

  /** Adds `proof`, and `attestation` until the service has accepted it. */
  fun prove(body: JsonObject): JsonObject =
    try {
      withinOrNull(limitMillis) {
        if (!isBusy.compareAndSet(false, true)) error("the Keystore is busy with an earlier call")
        try {
          signed(body)
        } finally {
          isBusy.set(false)
        }
      } ?: error("the Keystore took longer than $limitMillis ms")
    } catch (error: Throwable) {
      log("the call has no proof: ${error.message ?: error}")
      body
    }

  /**
   * Call it when the service has accepted the call: later calls of its key need no certificates.
   */
  fun accepted(call: JsonObject) {
    if ("attestation" in call) records.write(KeyRecord(service, null))
  }

  private fun signed(body: JsonObject): JsonObject {
    val values = signedValues(body)
    val text = signedText(values).toByteArray()
    val record = records.read()?.takeIf { it.service == service }
    val known = record?.let { signedByOld(text) }
    if (known != null) return proved(body, known, record.madeFor, isNew = false)
    if (made == MAX_MADE) error("the last $MAX_MADE keys are gone, or cannot sign")
    records.write(null)
    key.replace(sha256(text))
    made += 1
    // After the key: the record of a process that dies in between must not be of another key.
    records.write(KeyRecord(service, values))
    val proof = key.sign(text) ?: error("the new key is gone")
    return proved(body, proof, values, isNew = true)
  }

  /**
   * Null: there is no key, or it cannot sign, for example on hardware that did not make it. A
   * Keystore that is busy signs the second time.
   */
  private fun signedByOld(text: ByteArray): KeyProof? {
    repeat(ATTEMPTS) {
      try {
        return key.sign(text)
      } catch (error: Exception) {
        log("the key did not sign: $error")
      }
    }
    return null
  }

  private fun proved(
    body: JsonObject,
    proof: KeyProof,
    madeFor: Map<String, String>?,
    isNew: Boolean,
  ): JsonObject {
    val members =
      mapOf("publicKey" to base64url(proof.publicKey), "signature" to base64url(proof.signature))
    val chain = if (madeFor == null) emptyList() else certificates()
    if (chain.isEmpty()) return body + ("proof" to members)
    val call = if (isNew) emptyMap() else mapOf("madeFor" to madeFor)
    return body + mapOf("proof" to members, "attestation" to mapOf("chain" to chain) + call)
  }

  /** Empty when the Keystore does not return them: the key proves the installation without them. */
  private fun certificates(): List<String> =
    try {
      key.certificates().map(::base64)
    } catch (error: Exception) {
      log("the key has no certificates: $error")
      emptyList()
    }
}
