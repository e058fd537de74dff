// How does an app sign people in with its own screens? (specification 4.7, rule 5)
package ringfence.signin

import java.util.concurrent.FutureTask
import java.util.concurrent.TimeoutException
import ringfence.core.Background
import ringfence.core.Environment
import ringfence.core.InitializeCallback
import ringfence.core.IntelligenceClient
import ringfence.core.await
import ringfence.core.calls.Sessions
import ringfence.core.facts.FactReader
import ringfence.core.facts.localeFacts
import ringfence.core.json.JsonObject
import ringfence.core.newSessions
import ringfence.core.throwIfCancelled

/** Called once, on a background thread, with a value or an error. */
public fun interface SignInCallback<in Value> {
  public fun onResult(value: Value?, error: SignInError?)
}

/** How long a sign-in waits, in milliseconds. */
internal class SignInLimits(
  /** SYNC, because a fingerprint must not block a sign-in. */
  val fingerprint: Long = 10_000,
  /** ASYNC, at the end of a sign-in, for a fingerprint that is in flight. */
  val lateFingerprint: Long = 5_000,
  /** SILENT, for the network. */
  val silent: Long = 8_000,
)

/**
 * Sign-in for one app. It adds the device fingerprint if the request asks for it. No function
 * blocks, and none throws: errors are SignInError.
 */
public class HeadlessAuthentication
internal constructor(
  private val environment: Environment,
  private val intelligence: () -> IntelligenceClient?,
  private val limits: SignInLimits,
) {
  private val background = Background(4, environment.log)
  private val fingerprints = Fingerprints(intelligence, limits.fingerprint, environment.log)
  private val facts = FactReader(localeFacts)
  private val pending = PendingSignIns()

  @Volatile private var ownSessions: Sessions? = null

  /** `intelligence`: device intelligence of the app, if it uses it. */
  public constructor(
    environment: Environment,
    intelligence: IntelligenceClient?,
  ) : this(environment, { intelligence }, SignInLimits())

  /**
   * Opens a session for the app, or uses the session of device intelligence. Returns false if the
   * app is unknown, does not list this package, or the service cannot be reached. The next sign-in
   * call then tries again.
   */
  public suspend fun initialize(appId: String, baseUrl: String): Boolean =
    background.await { open(appId, baseUrl) }.getOrElse(::isNotInitialized)

  /** `initialize` with a callback. */
  public fun initialize(appId: String, baseUrl: String, callback: InitializeCallback) {
    background.run({ open(appId, baseUrl) }) { callback.onResult(it.getOrElse(::isNotInitialized)) }
  }

  /**
   * Starts a sign-in: the service sends a message, or returns the URL of the identity provider.
   * SILENT: the mobile network verifies the phone, and the result has the `user`; otherwise starts
   * an OTP, unless the app's setting `silentFallback` is NONE. A coroutine that is cancelled in the
   * meantime stops waiting, and no message is sent from then on.
   */
  public suspend fun start(request: SignInRequest): Result<SignInTransaction> =
    known(background.await(startOf(request)))

  /** `start` with a callback. */
  public fun start(request: SignInRequest, callback: SignInCallback<SignInTransaction>) {
    val start = startOf(request)
    background.run({ start { false } }) { deliver(it, callback) }
  }

  /** Sends the message again. Default for `transactionId`: the last sign-in that was started. */
  public suspend fun resend(transactionId: String? = null): Result<SignInTransaction> =
    known(background.await { isCancelled -> resendNow(transactionId, isCancelled) })

  /** `resend` with a callback. */
  public fun resend(transactionId: String?, callback: SignInCallback<SignInTransaction>) {
    background.run({ resendNow(transactionId) { false } }) { deliver(it, callback) }
  }

  /**
   * Completes a sign-in with the digits of the message, or with `ringfence_code` of the URL that
   * the person returned to.
   */
  public suspend fun verify(
    otp: String? = null,
    code: String? = null,
    transactionId: String? = null,
  ): Result<SignedInUser> = known(background.await { verifyNow(otp, code, transactionId) })

  /** `verify` with a callback. */
  public fun verify(
    otp: String?,
    code: String?,
    transactionId: String?,
    callback: SignInCallback<SignedInUser>,
  ) {
    background.run({ verifyNow(otp, code, transactionId) }) { deliver(it, callback) }
  }

  /** Returns the progress of a sign-in. Poll it while a person opens a magic link. */
  public suspend fun status(transactionId: String? = null): Result<SignInStatus> =
    known(background.await { statusNow(transactionId) })

  /** `status` with a callback. */
  public fun status(transactionId: String?, callback: SignInCallback<SignInStatus>) {
    background.run({ statusNow(transactionId) }) { deliver(it, callback) }
  }

  /**
   * Opens `url` of `POST /v1/telecom/number-verifications` over mobile data, and follows it to the
   * redirect URI, which is not opened. Needs no `initialize`.
   */
  public suspend fun openNumberVerification(url: String): Result<NumberVerificationReturn> =
    known(background.await { verifyNumber(url, environment, limits.silent) })

  /** `openNumberVerification` with a callback. */
  public fun openNumberVerification(
    url: String,
    callback: SignInCallback<NumberVerificationReturn>,
  ) {
    background.run({ verifyNumber(url, environment, limits.silent) }) { deliver(it, callback) }
  }

  private fun <Value> known(result: Result<Value>): Result<Value> =
    result.fold({ result }) { Result.failure(SignInError.of(it)) }

  private fun <Value> deliver(result: Result<Value>, callback: SignInCallback<Value>) {
    result.fold({ callback.onResult(it, null) }) { callback.onResult(null, SignInError.of(it)) }
  }

  private fun open(appId: String, baseUrl: String): Boolean {
    val new = newSessions(environment, appId, baseUrl)
    if (ownSessions?.caller != new.caller) ownSessions = new
    sessions().current()
    return true
  }

  private fun isNotInitialized(reason: Throwable): Boolean {
    environment.log("not initialised: ${reason.message ?: reason}")
    return false
  }

  /** Copies the request, because the app may change it while the call waits for its turn. */
  private fun startOf(request: SignInRequest): (isCancelled: () -> Boolean) -> SignInTransaction {
    val call = runCatching { request.call() }
    return { isCancelled -> startNow(call.getOrThrow(), isCancelled) }
  }

  private fun startNow(call: SignInCall, isCancelled: () -> Boolean): SignInTransaction {
    val late = if (call.mode == DeviceFingerprintMode.ASYNC) fingerprints.begin(call) else null
    val dfrId = if (call.mode == DeviceFingerprintMode.SYNC) fingerprints.take(call) else null
    val fields = if (dfrId == null) call.fields else call.fields + ("dfrId" to dfrId)
    val transaction = begin(fields, late, isCancelled)
    if (transaction.channel != Channel.SILENT.name || "redirectUrl" in fields) return transaction
    return try {
      val code = silentCode(transaction.authorizationUrl.orEmpty(), environment, limits.silent)
      transaction.with(verifyNow(null, code, transaction.transactionId))
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
    val transaction = SignInTransaction(call("start", fields + plainFacts(), isCancelled))
    pending.add(PendingSignIn(transaction.transactionId, late))
    return transaction
  }

  private fun resendNow(transactionId: String?, isCancelled: () -> Boolean): SignInTransaction {
    val signIn = pendingSignIn(transactionId)
    return SignInTransaction(
      call("resend", mapOf("transactionId" to signIn.transactionId), isCancelled)
    )
  }

  private fun verifyNow(otp: String?, code: String?, transactionId: String?): SignedInUser {
    val signIn = pendingSignIn(transactionId)
    val proof = mapOf("otp" to otp, "code" to code).filterValues { it != null }
    val user = SignedInUser(call("verify", bodyOf(signIn) + proof + plainFacts()))
    pending.forget(signIn.transactionId)
    return user
  }

  private fun statusNow(transactionId: String?): SignInStatus {
    val signIn = pendingSignIn(transactionId)
    // The response to this call may already complete the sign-in.
    val status = SignInStatus(call("status", bodyOf(signIn)))
    if (status.user != null) pending.forget(signIn.transactionId)
    return status
  }

  /** With the dfrId of an ASYNC sign-in. Waits a moment for one that is in flight. */
  private fun bodyOf(signIn: PendingSignIn): JsonObject {
    val dfrId =
      try {
        signIn.fingerprint?.await(limits.lateFingerprint)
      } catch (_: TimeoutException) {
        null
      }
    return mapOf("transactionId" to signIn.transactionId, "dfrId" to dfrId).filterValues {
      it != null
    }
  }

  /**
   * Shares the session of device intelligence, because the service accepts a dfrId only in the
   * session of its sign-in.
   */
  private fun sessions(): Sessions {
    val own = ownSessions ?: throw SignInError.NotConfigured()
    return intelligence()?.sessions?.takeIf { it.caller == own.caller } ?: own
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
    if (ownSessions == null) throw SignInError.NotConfigured()
    return pending.of(transactionId) ?: throw SignInError.NoSignIn()
  }
}
