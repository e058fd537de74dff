// Where do the redirects of an operator's URL lead? The SDK follows them itself: few, in little
// time, over mobile data only.
package ringfence.core.mobiledata

import java.net.URI
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import ringfence.core.calls.HttpResponse
import ringfence.core.within

/**
 * Where a visit ended: at a response that is no redirect, or at the URL where it stops, which was
 * not opened.
 */
internal class VisitEnd(val response: HttpResponse?, val reached: String?)

private const val MAX_REQUESTS = 12
private val redirects = setOf(301, 302, 303, 307, 308)

/**
 * Opens a URL and follows its redirects, until one leads to `lastUrl` or a response is none. Throws
 * MobileDataException.
 */
internal fun visit(
  url: String,
  lastUrl: String?,
  mobileData: MobileData,
  limitMillis: Long,
): VisitEnd =
  try {
    val began = System.nanoTime()
    val left = { limitMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began) }
    // One connection: the operator may know the phone by its address, and finding one takes
    // seconds.
    within(limitMillis) { mobileData.during(limitMillis) { follow(url, lastUrl, it, left) } }
  } catch (_: TimeoutException) {
    throw MobileDataException.late()
  }

private fun follow(
  url: String,
  lastUrl: String?,
  mobileData: MobileData,
  leftMillis: () -> Long,
): VisitEnd {
  var next = url
  repeat(MAX_REQUESTS) {
    val left = leftMillis()
    if (left <= 0) throw MobileDataException.late()
    val response = mobileData.get(next, left)
    if (response.status !in redirects) return VisitEnd(response, null)
    val target = targetOf(next, response.headers["location"])
    if (lastUrl != null && withoutQuery(target) == withoutQuery(lastUrl))
      return VisitEnd(null, target)
    next = target
  }
  throw MobileDataException.failed("there are more than $MAX_REQUESTS redirects")
}

internal fun targetOf(from: String, location: String?): String =
  try {
    resolved(URI(from), escaped(location!!))
  } catch (_: Exception) {
    throw MobileDataException.failed("a redirect leads nowhere")
  }

/**
 * RFC 3986, where `URI.resolve` differs: a query alone, a base without a path, `..` at the root.
 */
private fun resolved(from: URI, location: String): String {
  val host = "${from.scheme}://${from.rawAuthority}"
  if (location.startsWith("?")) return "$host${from.rawPath}$location"
  val target = URI(host + from.rawPath.ifEmpty { "/" }).resolve(location).toString()
  return if (target.startsWith("$host/..")) host + target.drop(host.length).replace(aboveRoot, "")
  else target
}

private val aboveRoot = Regex("^(/\\.\\.)+(?=/)")

/** As browsers do with characters that a URL must not have. */
private fun escaped(url: String): String =
  illegal.replace(url) { found ->
    found.value.toByteArray().joinToString("") { "%%%02X".format(java.util.Locale.ROOT, it) }
  }

private val illegal = Regex("[^!-~]+|[\"<>\\\\^`{|}]")

private fun withoutQuery(url: String): String = url.takeWhile { it != '?' && it != '#' }
