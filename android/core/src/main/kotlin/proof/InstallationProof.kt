// How does an engine call prove its installation? By a signature, and by the certificates of its
// key where the service does not have them.
package ringfence.core.proof

import java.util.concurrent.atomic.AtomicBoolean
import ringfence.core.Clock
import ringfence.core.ForgivingStorage
import ringfence.core.calls.Caller
import ringfence.core.inBackground
import ringfence.core.json.JsonObject
import ringfence.core.json.jsonText
import ringfence.core.json.readJson
import ringfence.core.withinOrNull

/** Signs engine calls. Never fails: without a key the call has no proof, and the log says why. */
internal class InstallationProof(
  private val key: InstallationKey,
  private val storage: ForgivingStorage,
  caller: Caller,
  private val clock: Clock,
  private val log: (String) -> Unit,
  internal var limitMillis: Long,
) {
  private val owner = caller.owner
  private val stored = "key"

  /** True while the Keystore works, also after the time limit: it does one thing at a time. */
  private val isBusy = AtomicBoolean()

  /** New keys. A Keystore that loses each key must not cost every call of a process a new one. */
  private var made = 0
  private val maxMade = 3

  /** The key of the last call with a proof. */
  @Volatile private var used = ""

  /** Once in a process: a service that cannot store what it gets asks each time. */
  private var wasAsked = false

  private val isSwept = AtomicBoolean()

  /** Adds `proof`, and `attestation` where the service does not have it. */
  fun prove(body: JsonObject): JsonObject =
    try {
      withinOrNull(limitMillis) {
        if (!isBusy.compareAndSet(false, true)) error("the Keystore is busy with an earlier call")
        try {
          storage.locked(stored) { signed(body) }
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
   *
   * @param asks the service does not know what attests the key
   * @return whether another call would send certificates that this one left out
   */
  fun accepted(call: JsonObject, asks: Boolean): Boolean {
    val isSent = "attestation" in call
    if ("proof" !in call) return false
    if (isSwept.compareAndSet(false, true)) inBackground(::sweep)
    if (!isSent && (!asks || wasAsked)) return false
    if (!isSent) wasAsked = true
    return storage.locked(stored) {
      val record = read()?.takeIf { it.name == used } ?: return@locked false
      val isLeftOut = !isSent && record.isAccepted(clock.now())
      write(record.with("acceptedAt", if (isSent) clock.now() else null))
      isLeftOut
    }
  }

  /** Deletes keys of processes that ended before they stored a record of them. */
  private fun sweep() = storage.withStored(stored) { key.keepOnly(KeyRecord(readJson(it)).name) }

  private fun signed(body: JsonObject): JsonObject {
    val values = signedValues(body)
    val text = signedText(values).toByteArray()
    val now = clock.now()
    val new =
      KeyRecord(mapOf("owner" to owner, "madeFor" to values, "madeAt" to now, "triedAt" to now))
    val old = read()
    val proof = if (old == null) null else signedByOld(old.name, text)
    if (old == null || proof == null) return signedByNew(body, new, text) ?: body
    if (old.mayRetry(now) && certificates(old.name)?.isEmpty() == true) {
      write(old.with("triedAt", now))
      val call = orLog("no new key") { signedByNew(body, new, text, mustBeAttested = true) }
      if (call != null) return call
      key.keepOnly(old.name)
    }
    return proved(body, old, proof)
  }

  /** Null only if the device does not attest the key, and must. */
  private fun signedByNew(
    body: JsonObject,
    record: KeyRecord,
    text: ByteArray,
    mustBeAttested: Boolean = false,
  ): JsonObject? {
    if (made == maxMade) error("the last $maxMade keys are gone, or cannot sign")
    key.make(record.name, record.challenge)
    made += 1
    if (mustBeAttested && certificates(record.name).isNullOrEmpty()) return null
    val isStored = write(record)
    val proof = key.sign(record.name, text) ?: error("the new key is gone")
    // A storage that fails now may have the record of the old key later.
    if (isStored) key.keepOnly(record.name)
    return proved(body, record, proof)
  }

  /**
   * Null: there is no key, or it cannot sign, for example on hardware that did not make it. A
   * Keystore that is busy signs the second time.
   */
  private fun signedByOld(name: String, text: ByteArray): KeyProof? {
    fun attempt() = orLog("the key did not sign") { key.sign(name, text) }
    return attempt() ?: attempt()
  }

  private fun proved(body: JsonObject, record: KeyRecord, proof: KeyProof): JsonObject {
    used = record.name
    val call =
      body +
        ("proof" to
          mapOf(
            "publicKey" to base64url(proof.publicKey),
            "signature" to base64url(proof.signature),
          ))
    val chain = if (record.isAccepted(clock.now())) null else certificates(record.name)
    if (chain.isNullOrEmpty()) return call
    // Of an earlier call, which the service may not have got.
    val isEarlier = record.madeFor["requestId"] != body["requestId"]
    val madeFor = if (isEarlier) mapOf("madeFor" to record.madeFor) else emptyMap()
    return call + ("attestation" to mapOf("chain" to chain) + madeFor)
  }

  /** Null when the Keystore does not return them: the key proves the installation without them. */
  private fun certificates(name: String): List<String>? =
    orLog("the key has no certificates") { key.certificates(name).map(::base64) }

  /** Null: this app has no key at this service. */
  private fun read(): KeyRecord? {
    val text = storage.text(stored) ?: return null
    val record = orLog("the record of the key is damaged") { KeyRecord(readJson(text)) }
    return if (record?.members?.get("owner") == owner) record else null
  }

  /** False: the next process will not have it. */
  private fun write(record: KeyRecord) = storage.store(stored, jsonText(record.members))

  private fun <Value> orLog(failure: String, work: () -> Value): Value? =
    try {
      work()
    } catch (error: Exception) {
      log("$failure: $error")
      null
    }
}
