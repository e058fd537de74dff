// Why did a call to the service fail?
package ringfence.core.calls

/**
 * The service's error, or why there was no usable response.
 *
 * @property requestId for support requests
 * @property status of HTTP, if the service responded
 * @property errorCode of the service
 * @property retryAfterSeconds to wait before the next attempt
 */
public class ServiceException(
  override val message: String,
  public val requestId: String? = null,
  public val status: Int? = null,
  public val errorCode: String? = null,
  public val retryAfterSeconds: Int? = null,
  /** Why it could not be reached, for the log: no permission, no name, another certificate. */
  override val cause: Throwable? = null,
) : Exception(message) {
  /** True if a retry cannot change the result: 4xx except 408 and 429. */
  internal val isFinal: Boolean
    get() = status != null && status in 400..499 && status != 408 && status != 429

  internal val isOfSession: Boolean
    get() = status == 401

  internal fun withRequestId(other: String): ServiceException =
    if (requestId != null) this
    else ServiceException(message, other, status, errorCode, retryAfterSeconds, cause)
}

/** For the log. */
internal fun withCause(error: Throwable): String =
  (error.message ?: "$error") + error.cause?.let { " ($it)" }.orEmpty()
