// How does the SDK open a URL over mobile data? The operator knows the SIM only there.
package ringfence.core.mobiledata

import ringfence.core.calls.HttpResponse

/** Opens URLs over mobile data, also while the device uses Wi-Fi. Tests replace it. */
public interface MobileData {
  /**
   * Sends one GET without credentials, follows no redirect, and blocks. Throws MobileDataException.
   * Of the platform's connections, cookies and passwords are those that the app has set for all of
   * its connections, if any.
   */
  public fun get(url: String, limitMillis: Long): HttpResponse

  /**
   * Runs work whose requests share one connection to the operator, which must be found within the
   * limit. Throws MobileDataException, and what the work throws.
   */
  public fun <Value> during(limitMillis: Long, work: (MobileData) -> Value): Value
}

/**
 * Why a URL could not be opened over mobile data. The message names no URL, because URLs of
 * operators contain phone numbers.
 *
 * @property reason as in `SignInTransaction.silentError`
 */
public class MobileDataException(public val reason: String, message: String) : Exception(message) {
  internal companion object {
    fun failed(message: String) = MobileDataException("provider_failed", message)

    fun late() = MobileDataException("timeout", "it took too long")
  }
}

/** A device without mobile data. */
public object NoMobileData : MobileData {
  override fun get(url: String, limitMillis: Long): HttpResponse =
    throw MobileDataException("no_mobile_data", "this device has no mobile data for this app")

  override fun <Value> during(limitMillis: Long, work: (MobileData) -> Value): Value = work(this)
}
