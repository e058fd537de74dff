// What does a sign-in send to the service, and to device intelligence? (specification 4.7, rule 5)
package ringfence.signin

import java.util.concurrent.FutureTask
import java.util.concurrent.TimeoutException
import ringfence.core.Environment
import ringfence.core.ForgivingStorage
import ringfence.core.IntelligenceClient
import ringfence.core.await
import ringfence.core.calls.Sessions
import ringfence.core.facts.FactReader
import ringfence.core.facts.localeFacts
import ringfence.core.json.JsonObject
import ringfence.core.newSessions
import ringfence.core.proof.challengeOf
import ringfence.core.proof.newCodeVerifier
import ringfence.core.throwIfCancelled

/** How long a sign-in waits, in milliseconds. */
internal class SignInLimits(
  /** SYNC, because a fingerprint must not block a sign-in. */
  val fingerprint: Long = 10_000,
  /** ASYNC, at the end of a sign-in, for a fingerprint that is in flight. */
  val lateFingerprint: Long = 5_000,
  /** SILENT, for the network. */
  val silent: Long = 8_000,
)

/** The sign-ins of one app. Its functions block, and throw. */
internal class SignIns(
  private val environment: Environment,
  private val intelligence: IntelligenceClient?,
  private val limits: SignInLimits,
) {
  private val fingerprints = Fingerprints(intelligence, limits.fingerprint, environment.log)
  private val facts = FactReader(localeFacts)
  private val pending =
    PendingSignIns(ForgivingStorage(environment.storage, environment.log), environment.clock)

  @Volatile private var ownSessions: Sessions? = null

  /** The same until a person has signed in, because a repeated start is the same sign-in. */
  @Volatile private var verifier = newCodeVerifier()

  fun open(appId: String, baseUrl: String): Boolean {
    val new = newSessions(environment, appId, baseUrl)
    if (ownSessions?.caller != new.caller) ownSessions = new
    sessions().current()
    return true
  }

  fun start(request: SignInRequest, isCancelled: () -> Boolean): SignInTransaction {
    val mode = request.deviceFingerprintMode
    val late = if (mode == DeviceFingerprintMode.ASYNC) fingerprints.begin(request) else null
    val dfrId = if (mode == DeviceFingerprintMode.SYNC) fingerprints.take(request) else null
    val sent = request.toJson()
    val fields = if (dfrId == null) sent else sent + ("dfrId" to dfrId)
    val transaction = begin(fields, late, isCancelled)
    if (transaction.channel != Channel.SILENT.name || "redirectUrl" in fields) return transaction
    return try {
      val code = silentCode(transaction.authorizationUrl.orEmpty(), environment, limits.silent)
      transaction.with(verify(null, code, transaction.transactionId))
    } catch (error: Exception) {
      pending.forget(transaction.transactionId)
      val reason = reasonOf(error)
      val fallback = transaction.fallback ?: throw SignInError.NotVerified(reason)
      begin(fields + ("channel" to fallback), late, isCancelled).with(reason)
    }
  }

  private fun begin(
    fields: JsonObject,
    late: FutureTask<String?>?,
    isCancelled: () -> Boolean,
  ): SignInTransaction {
    val own = verifier
    val owner = owner()
    val body = fields + ("codeChallenge" to challengeOf(own)) + plainFacts()
    val transaction = SignInTransaction(call("start", body, isCancelled))
    pending.add(transaction.transactionId, own, owner, late)
    return transaction
  }

  fun resend(transactionId: String?, isCancelled: () -> Boolean): SignInTransaction {
    val signIn = pendingSignIn(transactionId)
    return SignInTransaction(
      call("resend", mapOf("transactionId" to signIn.transactionId), isCancelled)
    )
  }

  fun verify(otp: String?, code: String?, transactionId: String?): SignedInUser {
    val signIn = pendingSignIn(transactionId)
    val codeVerifier = code?.let { signIn.codeVerifier }
    val proof = mapOf("otp" to otp, "code" to code, "codeVerifier" to codeVerifier)
    val user = SignedInUser(call("verify", bodyOf(signIn, proof) + plainFacts()))
    signedIn(signIn)
    return user
  }

  fun status(transactionId: String?): SignInStatus {
    val signIn = pendingSignIn(transactionId)
    // The response to this call may already complete the sign-in.
    val status = SignInStatus(call("status", bodyOf(signIn, emptyMap())))
    if (status.user != null) signedIn(signIn)
    return status
  }

  private fun signedIn(signIn: PendingSignIn) {
    pending.forget(signIn.transactionId)
    verifier = newCodeVerifier()
  }

  /** With the dfrId of an ASYNC sign-in. Waits a moment for one that is in flight. */
  private fun bodyOf(signIn: PendingSignIn, proof: Map<String, String?>): JsonObject {
    val dfrId =
      try {
        signIn.fingerprint?.await(limits.lateFingerprint)
      } catch (_: TimeoutException) {
        null
      }
    val ids = mapOf("transactionId" to signIn.transactionId, "dfrId" to dfrId)
    return (ids + proof).filterValues { it != null }
  }

  /**
   * Shares the session of device intelligence, because the service accepts a dfrId only in the
   * session of its sign-in.
   */
  private fun sessions(): Sessions {
    val own = ownSessions ?: throw SignInError.NotConfigured()
    return intelligence?.sessions?.takeIf { it.caller == own.caller } ?: own
  }

  /** Sends nothing once the coroutine is cancelled, also not in a new session. */
  private fun call(
    name: String,
    body: JsonObject,
    isCancelled: () -> Boolean = { false },
  ): JsonObject {
    val used = sessions()
    return used.run { session ->
      throwIfCancelled(isCancelled)
      used.service.send("/sdk/v1/auth/$name", session.headers, body)
    }
  }

  private fun plainFacts(): JsonObject =
    mapOf("facts" to facts.read(sessions().current().collect).facts)

  private fun pendingSignIn(transactionId: String?): PendingSignIn {
    return pending.of(transactionId, owner()) ?: throw SignInError.NoSignIn()
  }

  /** Sign-ins of another app or service are not of this one. */
  private fun owner(): String = (ownSessions ?: throw SignInError.NotConfigured()).caller.owner
}
