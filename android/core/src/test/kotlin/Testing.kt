// Which services do the tests call? The real one and one with faults, started by npm run
// test:android.
package ringfence

import java.io.File
import java.net.URLEncoder
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import org.junit.jupiter.api.Assertions.assertTrue
import ringfence.core.Clock
import ringfence.core.Environment
import ringfence.core.IntelligenceClient
import ringfence.core.IntelligenceError
import ringfence.core.calls.Service
import ringfence.core.calls.UrlConnectionTransport
import ringfence.core.json.JsonObject
import ringfence.core.json.readJson

/** A value that `npm run test:android` passes in. Without it the test fails. */
fun started(name: String): String =
  checkNotNull(System.getenv("RINGFENCE_$name")) { "run the tests with npm run test:android" }

/** Runs a suspend function as an app does, without kotlinx. */
fun <Value> blocking(work: suspend () -> Value): Value {
  val done = CompletableFuture<Result<Value>>()
  work.startCoroutine(Continuation(EmptyCoroutineContext) { done.complete(it) })
  return done.get(60, TimeUnit.SECONDS).getOrThrow()
}

/** Waits for what happens in the background: longer than the slowest machine needs. */
fun until(isSo: () -> Boolean) {
  val giveUpAt = System.nanoTime() + 60_000_000_000
  while (!isSo()) {
    check(System.nanoTime() < giveUpAt) { "it did not happen" }
    Thread.sleep(20)
  }
}

/** How long this process ran during the work: when a busy machine stops it, that does not count. */
fun ranMillis(work: () -> Unit): Long {
  val isOver = AtomicBoolean()
  val ran =
    CompletableFuture.supplyAsync {
      var nanos = 0L
      while (!isOver.get()) {
        val before = System.nanoTime()
        Thread.sleep(10)
        nanos += minOf(System.nanoTime() - before, 20_000_000)
      }
      nanos / 1_000_000
    }
  try {
    work()
  } finally {
    isOver.set(true)
  }
  return ran.get()
}

/** Records waits and returns at once. */
class QuickClock(private val offsetMillis: Long = 0) : Clock {
  val waits = CopyOnWriteArrayList<Long>()

  override fun now(): Long = System.currentTimeMillis() + offsetMillis

  override fun sleep(millis: Long) {
    waits.add(millis)
  }
}

/** Log lines. */
class Log : (String) -> Unit {
  val lines = CopyOnWriteArrayList<String>()

  override fun invoke(line: String) {
    lines.add(line)
  }
}

class Call(
  val name: String,
  val atMillis: Long,
  val body: JsonObject,
  val headers: JsonObject,
  val signedText: String?,
)

@Suppress("UNCHECKED_CAST") fun Any?.members(): JsonObject = this as JsonObject

operator fun JsonObject.get(first: String, vararg rest: String): Any? =
  rest.fold(this[first]) { value, name -> (value as? Map<*, *>)?.get(name) }

private fun service(url: String) = Service(url, UrlConnectionTransport(60_000))

/**
 * A service with planned responses: an HTTP status, or the name of a fault in
 * scripts/phones/fault-server.ts.
 */
class Faults(val url: String) {
  fun calls(name: String? = null): List<Call> =
    (service(url).send("/calls", emptyMap())["calls"] as List<*>)
      .map { it.members() }
      .filter { name == null || it["name"] == name }
      .map { call ->
        Call(
          call["name"] as String,
          call["atMs"] as Long,
          call["body"].members(),
          call["headers"].members(),
          call["signedText"] as String?,
        )
      }

  /** Waits until the call has arrived. */
  fun waitForCall(name: String) = until { calls(name).isNotEmpty() }

  companion object {
    fun planned(vararg plan: Pair<String, List<Any>>): Faults {
      val response = service(started("FAULTS")).send("/runs", emptyMap(), plan.toMap())
      return Faults(response["url"] as String)
    }
  }
}

/** A JSON file of the contract. */
fun contract(name: String): JsonObject =
  readJson(File("../../contract/$name.json").readText()).members()

/** What a person and a backend do, in scripts/phones/services.ts. */
fun outside(path: String, values: Map<String, String>): JsonObject {
  val query = values.map { (name, value) -> "$name=${URLEncoder.encode(value, "UTF-8")}" }
  return service(started("FAULTS")).send("/$path?${query.joinToString("&")}", emptyMap())
}

fun otpSentTo(recipient: String): String = outside("otp", mapOf("to" to recipient))["otp"] as String

/** Opens the link of the last message and presses its button. Returns where it leads. */
fun openLinkSentTo(recipient: String): String =
  outside("link", mapOf("to" to recipient))["location"] as? String ?: ""

/** Signs in at the identity provider. Returns the URL that it leads back to. */
fun signInAtProvider(url: String): String =
  outside("provider", mapOf("url" to url))["location"] as String

/** What a backend gets for the token of a sign-in. */
fun validated(token: String): JsonObject = outside("validate", mapOf("token" to token))

/** What a backend gets for a dfrId. */
fun reportOf(dfrId: String): JsonObject = outside("report", mapOf("dfrId" to dfrId))

/** Device intelligence that is initialised at a service with faults. */
fun initialized(faults: Faults, environment: Environment): IntelligenceClient =
  IntelligenceClient(environment).also { client ->
    assertTrue(blocking { client.initialize("rfa_test", faults.url) })
  }

/** The error of a fetch. */
fun failureOf(client: IntelligenceClient): IntelligenceError = errorOf { client.fetch() }

/** The error of a result. Fails the test if it is a success. */
inline fun <reified Failure : Throwable> errorOf(
  crossinline work: suspend () -> Result<*>
): Failure {
  val result = blocking { work() }
  return result.exceptionOrNull() as? Failure
    ?: throw AssertionError("it returned $result", result.exceptionOrNull())
}
