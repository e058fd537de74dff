// Which URLs does the SDK open over mobile data? Those of HTTPS, over connections of the platform.
package ringfence.core.mobiledata

import java.io.IOException
import java.net.InetAddress
import java.net.SocketTimeoutException
import java.net.URI
import java.net.URL
import java.net.URLConnection
import ringfence.core.calls.HttpRequest
import ringfence.core.calls.HttpResponse
import ringfence.core.calls.UrlConnectionTransport

/**
 * Mobile data with the platform's connections.
 *
 * @param allowsLoopback for tests, also without TLS. An operator must not reach servers on the
 *   phone
 * @param open makes a connection over mobile data; throws MobileDataException when there are none
 */
public class ConnectedMobileData(
  private val allowsLoopback: Boolean = false,
  private val open: (URL, limitMillis: Long) -> URLConnection,
) : MobileData {
  override fun get(url: String, limitMillis: Long): HttpResponse {
    val checked =
      try {
        checkedUrl(url)
      } catch (error: Exception) { // neither a URL nor an address, for example
        throw error as? MobileDataException ?: MobileDataException.failed("the URL is not valid")
      }
    val transport = UrlConnectionTransport(limitMillis) { open(it, limitMillis) }
    try {
      // Nothing in it says anything about the person or the app.
      return transport.send(
        HttpRequest(checked, mapOf("accept" to "*/*", "user-agent" to "Ringfence"))
      )
    } catch (_: SocketTimeoutException) {
      throw MobileDataException.late()
    } catch (_: IOException) {
      throw MobileDataException.failed("the server could not be reached")
    }
  }

  override fun <Value> during(limitMillis: Long, work: (MobileData) -> Value): Value = work(this)

  private fun checkedUrl(text: String): URL {
    val uri = URI(text)
    val host = uri.host?.lowercase()?.removeSurrounding("[", "]")
    val isAllowed =
      if (host != null && isOfThisPhone(host)) allowsLoopback
      else uri.scheme.equals("https", ignoreCase = true)
    if (host == null || !isAllowed || uri.rawUserInfo != null || text.length > MAX_URL) {
      throw MobileDataException.failed("the URL is not allowed")
    }
    return uri.toURL()
  }

  private companion object {
    const val MAX_URL = 8_192
    /** Addresses have many spellings, such as 2130706433. */
    val addresses = Regex("[0-9.]+|.*:.*")

    fun isOfThisPhone(host: String): Boolean {
      val name = host.trimEnd('.')
      if (!addresses.matches(name)) return name == "localhost" || name.endsWith(".localhost")
      val address = InetAddress.getByName(name)
      return address.isLoopbackAddress || address.isAnyLocalAddress
    }
  }
}
