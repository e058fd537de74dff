// How does the SDK call the service? JSON in both directions; every failure is a ServiceException.
package ringfence.core.calls

import java.net.MalformedURLException
import java.net.URL
import ringfence.core.json.JsonException
import ringfence.core.json.JsonObject
import ringfence.core.json.jsonText
import ringfence.core.json.readJson

/** The service at one base URL. */
public class Service(public val baseUrl: String, private val transport: Transport) {
  /**
   * Sends a request to the base URL plus `path`: POST with a body, else GET. Throws
   * ServiceException.
   */
  public fun send(
    path: String,
    headers: Map<String, String>,
    body: JsonObject? = null,
  ): JsonObject {
    val sent = HashMap(headers)
    sent["accept"] = "application/json"
    if (body != null) sent["content-type"] = "application/json"
    val request = HttpRequest(urlOf(path), sent, body?.let { jsonText(it).toByteArray() })
    val response =
      try {
        transport.send(request)
      } catch (
        error: Exception) { // not only IOException: makers of phones throw SecurityException, too
        throw ServiceException("The service could not be reached", cause = error)
      }
    val members = membersOf(response)
    if (response.status !in 200..299) throw refusal(response, members.orEmpty())
    return members
      ?: throw ServiceException(
        "The response is not a JSON object",
        requestId = response.headers["x-request-id"],
      )
  }

  private fun urlOf(path: String): URL =
    try {
      URL(baseUrl.trimEnd('/') + path)
    } catch (_: MalformedURLException) {
      throw ServiceException("The base URL is not valid: $baseUrl")
    }

  @Suppress("UNCHECKED_CAST") // an object of JSON has names that are strings
  private fun membersOf(response: HttpResponse): JsonObject? =
    try {
      readJson(response.text) as? JsonObject
    } catch (_: JsonException) {
      null
    }

  /** Error bodies have `errorMessage`, or `message` with `errorCode` and `description`. */
  private fun refusal(response: HttpResponse, body: JsonObject): ServiceException =
    ServiceException(
      message =
        body.text("errorMessage")
          ?: body.text("description")
          ?: body.text("message")
          ?: "HTTP status ${response.status}",
      requestId = body.text("requestId") ?: response.headers["x-request-id"],
      status = response.status,
      errorCode = body.text("errorCode"),
      retryAfterSeconds = response.headers["retry-after"]?.toIntOrNull(),
    )
}

/** A text with at least one character. An empty id counts as missing. */
internal fun JsonObject.text(name: String): String? =
  (this[name] as? String)?.takeIf { it.isNotEmpty() }

internal fun JsonObject.int(name: String): Int? =
  (this[name] as? Long)?.takeIf { it in 0..Int.MAX_VALUE }?.toInt()

@Suppress("UNCHECKED_CAST")
internal fun JsonObject.members(name: String): JsonObject? = this[name] as? JsonObject
