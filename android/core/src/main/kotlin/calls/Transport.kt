// How does a request reach the service? One request, one response, with limits on time and size.
package ringfence.core.calls

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.io.InputStream
import java.net.HttpRetryException
import java.net.HttpURLConnection
import java.net.SocketTimeoutException
import java.net.URL
import java.net.URLConnection
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicReference
import kotlin.concurrent.thread
import ringfence.core.within

/** A request: POST with a body, else GET. */
public class HttpRequest(
  public val url: URL,
  public val headers: Map<String, String> = emptyMap(),
  public val body: ByteArray? = null,
)

/** A complete response. Names of headers are in lower case. */
public class HttpResponse(
  public val status: Int,
  public val headers: Map<String, String>,
  public val body: ByteArray,
) {
  /** The body as UTF-8. */
  public val text: String
    get() = String(body, Charsets.UTF_8)
}

/** Sends requests and blocks. Tests replace it. */
public interface Transport {
  /** Throws IOException when there is no complete response in time. */
  @Throws(IOException::class) public fun send(request: HttpRequest): HttpResponse
}

/**
 * Uses no cache, and follows no redirects, so that facts go to the service only. Cookies are those
 * of the app for this host, if it has set a `CookieHandler`: the platform has no switch for them.
 *
 * @param open makes the connection, for example over mobile data
 */
public class UrlConnectionTransport(
  private val limitMillis: Long = 10_000,
  private val maxBytes: Int = 1 shl 20,
  private val open: (URL) -> URLConnection = { it.openConnection() },
) : Transport {
  override fun send(request: HttpRequest): HttpResponse {
    val connection = AtomicReference<HttpURLConnection>()
    val isLate = AtomicBoolean()
    try {
      // The time limits of a connection are for each part of it. This one is for all of it, with
      // the look-up of the name.
      return within(limitMillis) {
        val opened =
          open(request.url) as? HttpURLConnection ?: throw IOException("the URL is not of HTTP")
        connection.set(opened)
        if (isLate.get()) throw late()
        try {
          exchange(opened, request)
        } finally {
          connection.set(null)
        }
      }
    } catch (_: TimeoutException) {
      isLate.set(true)
      thread(isDaemon = true) { close(connection) }
      throw late()
    }
  }

  private fun late() = SocketTimeoutException("no response within $limitMillis ms")

  /** Until the exchange ends: one that is about to connect connects after it was disconnected. */
  private fun close(connection: AtomicReference<HttpURLConnection>) {
    while (true) {
      val open = connection.get() ?: return
      try {
        open.disconnect()
      } catch (_: Throwable) {} // it is in use by another thread, and this one must not end the app
      Thread.sleep(100)
    }
  }

  private fun exchange(connection: HttpURLConnection, request: HttpRequest): HttpResponse {
    connection.connectTimeout = limitMillis.toInt()
    connection.readTimeout = limitMillis.toInt()
    connection.instanceFollowRedirects = false
    connection.useCaches = false
    // Android alone would unpack a body, and this is tested on Java.
    connection.setRequestProperty("accept-encoding", "identity")
    for ((name, value) in request.headers) connection.setRequestProperty(name, value)
    try {
      if (request.body != null) {
        connection.doOutput = true
        // With a fixed length the platform never sends a body twice by itself: a repeated `start`
        // is a second message.
        connection.setFixedLengthStreamingMode(request.body.size)
        connection.outputStream.use { it.write(request.body) }
      }
      val status = connection.responseCode
      if (status < 100) throw IOException("the response is not HTTP")
      val stream = if (status < 400) connection.inputStream else connection.errorStream
      return HttpResponse(status, headersOf(connection), stream?.use(::read) ?: ByteArray(0))
    } catch (error: HttpRetryException) { // Java, unlike Android, drops the body of such a response
      return HttpResponse(error.responseCode(), headersOf(connection), ByteArray(0))
    } finally {
      connection.disconnect()
    }
  }

  private fun headersOf(connection: HttpURLConnection): Map<String, String> =
    connection.headerFields
      .filter { (name, values) ->
        name != null && values.isNotEmpty()
      } // the status line has no name
      .map { (name, values) -> name.lowercase() to values.first() }
      .toMap()

  private fun read(stream: InputStream): ByteArray {
    val bytes = ByteArrayOutputStream()
    val part = ByteArray(8_192)
    while (true) {
      val count = stream.read(part)
      if (count < 0) return bytes.toByteArray()
      bytes.write(part, 0, count)
      if (bytes.size() > maxBytes) throw IOException("the response has more than $maxBytes bytes")
    }
  }
}
