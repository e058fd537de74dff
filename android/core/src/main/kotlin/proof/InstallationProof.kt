// How does an engine call prove its installation? By a signature, and once by the certificates of
// its key.
package ringfence.core.proof

import java.util.concurrent.atomic.AtomicBoolean
import ringfence.core.Storage
import ringfence.core.json.JsonObject
import ringfence.core.withinOrNull

/** An engine call with its proof. */
internal class ProvedCall(val body: JsonObject, val isNewKey: Boolean)

/** Signs engine calls. Never fails: without a key the call has no proof, and the log says why. */
internal class InstallationProof(
  private val key: InstallationKey,
  private val storage: Storage,
  private val log: (String) -> Unit,
  private val limitMillis: Long = 5_000,
) {
  /** True while the Keystore works, also after the time limit: it does one thing at a time. */
  private val isBusy = AtomicBoolean()

  /** Adds `proof`, and for a new key `attestation`. */
  fun prove(body: JsonObject): ProvedCall =
    try {
      val text = signedText(body).toByteArray()
      if (!isBusy.compareAndSet(false, true)) error("the Keystore is busy with an earlier call")
      withinOrNull(limitMillis) {
        try {
          signed(body, text)
        } finally {
          isBusy.set(false)
        }
      } ?: error("the Keystore took longer than $limitMillis ms")
    } catch (error: Throwable) {
      log("the call has no proof: ${error.message ?: error}")
      ProvedCall(body, isNewKey = false)
    }

  /** Call it when the service has accepted the call: later calls of a key need no certificates. */
  fun accepted(call: ProvedCall) {
    if (call.isNewKey) storage.store(ACCEPTED, "true")
  }

  private fun signed(body: JsonObject, text: ByteArray): ProvedCall {
    // A key whose first call was not accepted is replaced: its certificates are for that call only.
    if (storage.text(ACCEPTED) != null) {
      key.sign(text)?.let {
        return ProvedCall(body + ("proof" to membersOf(it)), isNewKey = false)
      }
      storage.store(ACCEPTED, null)
    }
    key.replace(sha256(text))
    val proof = key.sign(text) ?: error("the new key is gone")
    val chain = key.certificates().map(::base64)
    val attestation: JsonObject =
      if (chain.isEmpty()) emptyMap() else mapOf("attestation" to mapOf("chain" to chain))
    return ProvedCall(body + ("proof" to membersOf(proof)) + attestation, isNewKey = true)
  }

  private fun membersOf(proof: KeyProof): JsonObject =
    mapOf("publicKey" to base64url(proof.publicKey), "signature" to base64url(proof.signature))

  private companion object {
    const val ACCEPTED = "keyAccepted"
  }
}
