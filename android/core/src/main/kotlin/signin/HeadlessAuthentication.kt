// How does an app sign people in with its own screens? (specification 4.7, rule 5)
package ringfence.signin

import ringfence.core.Background
import ringfence.core.Environment
import ringfence.core.InitializeCallback
import ringfence.core.IntelligenceClient
import ringfence.core.threadPool

/** Called once, on a background thread, with a value or an error. */
public fun interface SignInCallback<in Value> {
  public fun onResult(value: Value?, error: SignInError?)
}

/**
 * Sign-in for one app. It adds the device fingerprint if the request asks for it. No function
 * blocks, and none throws: errors are SignInError.
 */
public class HeadlessAuthentication
internal constructor(
  private val environment: Lazy<Environment>,
  private val intelligence: IntelligenceClient?,
  private val limits: SignInLimits,
) {
  private val background = Background(threadPool(4), environment)
  private val signIns by lazy { SignIns(environment.value, intelligence, limits) }

  public constructor(
    environment: Environment,
    intelligence: IntelligenceClient?,
  ) : this(lazyOf(environment), intelligence, SignInLimits())

  /** Of an app that uses device intelligence. */
  public constructor(
    intelligence: IntelligenceClient
  ) : this(intelligence.environment, intelligence, SignInLimits())

  /**
   * Opens a session for the app, or uses the session of device intelligence. Returns false if the
   * app is unknown, does not list this package, or the service cannot be reached. The next sign-in
   * call then tries again.
   */
  public suspend fun initialize(appId: String, baseUrl: String): Boolean =
    background.initialized(background.await { signIns.open(appId, baseUrl) })

  /** `initialize` with a callback. */
  public fun initialize(appId: String, baseUrl: String, callback: InitializeCallback?) {
    background.run({ signIns.open(appId, baseUrl) }) {
      callback?.onResult(background.initialized(it))
    }
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
  public fun start(request: SignInRequest, callback: SignInCallback<SignInTransaction>?) {
    val start = startOf(request)
    background.run({ start { false } }) { deliver(it, callback) }
  }

  /** Sends the message again. Default for `transactionId`: the last sign-in that was started. */
  public suspend fun resend(transactionId: String? = null): Result<SignInTransaction> =
    known(background.await { isCancelled -> signIns.resend(transactionId, isCancelled) })

  /** `resend` with a callback. */
  public fun resend(transactionId: String?, callback: SignInCallback<SignInTransaction>?) {
    background.run({ signIns.resend(transactionId) { false } }) { deliver(it, callback) }
  }

  /**
   * Completes a sign-in with the digits of the message, or with `ringfence_code` of the URL that
   * the person returned to. Fails with NoSignIn if another app or device started it.
   */
  public suspend fun verify(
    otp: String? = null,
    code: String? = null,
    transactionId: String? = null,
  ): Result<SignedInUser> = known(background.await { signIns.verify(otp, code, transactionId) })

  /** `verify` with a callback. */
  public fun verify(
    otp: String?,
    code: String?,
    transactionId: String?,
    callback: SignInCallback<SignedInUser>?,
  ) {
    background.run({ signIns.verify(otp, code, transactionId) }) { deliver(it, callback) }
  }

  /** Returns the progress of a sign-in. Poll it while a person opens a magic link. */
  public suspend fun status(transactionId: String? = null): Result<SignInStatus> =
    known(background.await { signIns.status(transactionId) })

  /** `status` with a callback. */
  public fun status(transactionId: String?, callback: SignInCallback<SignInStatus>?) {
    background.run({ signIns.status(transactionId) }) { deliver(it, callback) }
  }

  /**
   * Opens `url` of `POST /v1/telecom/number-verifications` over mobile data, and follows it to the
   * redirect URI, which is not opened. Needs no `initialize`.
   */
  public suspend fun openNumberVerification(url: String): Result<NumberVerificationReturn> =
    known(background.await { verifyNumber(url, environment.value, limits.silent) })

  /** `openNumberVerification` with a callback. */
  public fun openNumberVerification(
    url: String,
    callback: SignInCallback<NumberVerificationReturn>?,
  ) {
    background.run({ verifyNumber(url, environment.value, limits.silent) }) {
      deliver(it, callback)
    }
  }

  /** Copies the request, because the app may change it while the call waits for its turn. */
  private fun startOf(request: SignInRequest): (isCancelled: () -> Boolean) -> SignInTransaction {
    val copy = runCatching { request.copied() }
    return { isCancelled -> signIns.start(copy.getOrThrow(), isCancelled) }
  }

  private fun <Value> known(result: Result<Value>): Result<Value> =
    result.fold({ result }) { Result.failure(SignInError.of(it)) }

  private fun <Value> deliver(result: Result<Value>, callback: SignInCallback<Value>?) {
    result.fold({ callback?.onResult(it, null) }) { callback?.onResult(null, SignInError.of(it)) }
  }
}
