// Why did a sign-in call fail?
package ringfence.signin

import ringfence.core.calls.ServiceException

/** The only error of sign-in calls. `message` is for the person or the log. */
public sealed class SignInError(override val message: String) : Exception(message) {
  /** `initialize` was not called. */
  public class NotConfigured : SignInError("SDK not initialised")

  /** This app has not started the sign-in, or none. */
  public class NoSignIn : SignInError("This app has not started this sign-in. Call start first")

  /**
   * The service refused the call.
   *
   * @property status of HTTP
   * @property errorCode of the service
   * @property requestId for support requests
   * @property retryAfterSeconds to wait before the next attempt
   */
  public class Refused(
    public val status: Int,
    public val errorCode: String?,
    message: String,
    public val requestId: String?,
    public val retryAfterSeconds: Int?,
  ) : SignInError(message)

  /** The mobile network did not verify the phone, for this reason, and there is no fallback. */
  public class NotVerified(public val reason: String) :
    SignInError("The phone was not verified: $reason")

  /** The service could not be reached, or its response was not usable. */
  public class Unreachable(message: String, override val cause: Throwable? = null) :
    SignInError(message)

  internal companion object {
    fun incomplete(field: String): SignInError = Unreachable("The response has no $field")

    fun of(error: Throwable): SignInError =
      when {
        error is SignInError -> error
        error is ServiceException && error.status != null ->
          Refused(
            error.status,
            error.errorCode,
            error.message,
            error.requestId,
            error.retryAfterSeconds,
          )
        else -> Unreachable(error.message ?: error.toString(), error)
      }
  }
}
