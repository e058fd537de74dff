// How do the tests sign a person in, and over which mobile data?
package ringfence

import java.net.HttpURLConnection
import java.util.concurrent.CopyOnWriteArrayList
import org.junit.jupiter.api.Assertions.assertTrue
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.calls.HttpResponse
import ringfence.core.calls.Transport
import ringfence.core.calls.UrlConnectionTransport
import ringfence.core.mobiledata.ConnectedMobileData
import ringfence.core.mobiledata.MobileData
import ringfence.core.mobiledata.NoMobileData
import ringfence.signin.HeadlessAuthentication
import ringfence.signin.SignInError
import ringfence.signin.SignInLimits
import ringfence.signin.SignInRequest
import ringfence.signin.SignInTransaction

/**
 * A phone whose mobile data are this machine's network. It knows the service by its public URL,
 * too.
 */
class LoopbackMobileData : MobileData {
  val requests = CopyOnWriteArrayList<String>()
  private val connected =
    ConnectedMobileData(allowsLoopback = true) { url, _ -> url.openConnection() }

  override fun get(url: String, limitMillis: Long): HttpResponse {
    requests.add(url)
    return connected.get(url.replace("https://login.shop.example", started("URL")), limitMillis)
  }

  override fun <Value> during(limitMillis: Long, work: (MobileData) -> Value): Value = work(this)
}

/** Answers by URL, without a network. */
class PlannedMobileData(private val answer: (String) -> HttpResponse) : MobileData {
  val requests = CopyOnWriteArrayList<String>()

  override fun get(url: String, limitMillis: Long): HttpResponse {
    requests.add(url)
    return answer(url)
  }

  override fun <Value> during(limitMillis: Long, work: (MobileData) -> Value): Value = work(this)
}

/** A server that takes the connection and never answers. */
val hangingMobileData =
  ConnectedMobileData(allowsLoopback = true) { url, limitMillis ->
    object : HttpURLConnection(url) {
      override fun connect() = Thread.sleep(10 * limitMillis)

      override fun getInputStream() = throw AssertionError()

      override fun getResponseCode(): Int {
        connect()
        return 200
      }

      override fun disconnect() {}

      override fun usingProxy() = false
    }
  }

fun redirectTo(location: String) = HttpResponse(302, mapOf("location" to location), ByteArray(0))

fun page(text: String) = HttpResponse(200, emptyMap(), text.toByteArray())

/** Sign-in that is initialised at the service or at one with faults. */
internal fun signIn(
  url: String,
  appId: String = "rfa_test",
  packageName: String = "com.example.shop",
  log: Log = Log(),
  mobileData: MobileData = NoMobileData,
  limits: SignInLimits = limits(),
  transport: Transport = UrlConnectionTransport(60_000),
  intelligence: IntelligenceClient? = null,
): HeadlessAuthentication {
  val environment = Environment(packageName, QuickClock(), transport, mobileData, log = log)
  return HeadlessAuthentication(lazyOf(environment), intelligence, limits).also { signIn ->
    assertTrue(blocking { signIn.initialize(appId, url) })
  }
}

/** What a test does not limit may take as long as the slowest machine needs. */
internal fun limits(
  fingerprint: Long = 60_000,
  lateFingerprint: Long = 60_000,
  silent: Long = 60_000,
) = SignInLimits(fingerprint, lateFingerprint, silent)

/** Waits until no sign-in runs: what it sends, it has sent. */
fun untilNoSignInRuns() = until {
  Thread.getAllStackTraces().values.none { stack ->
    stack.any { it.className == "ringfence.signin.SignIns" }
  }
}

fun HeadlessAuthentication.started(request: SignInRequest): SignInTransaction =
  blocking { start(request) }.getOrThrow()

/** The error of a sign-in call, by its name. */
inline fun <reified Failure : SignInError> signInError(
  crossinline work: suspend () -> Result<*>
): Failure = errorOf { work() }
