// Which services do the tests call? The real one and one with faults, started by npm run
// test:android.
package ringfence

import java.io.File
import java.lang.management.ManagementFactory
import java.net.SocketTimeoutException
import java.net.URLEncoder
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import kotlin.concurrent.thread
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import org.junit.jupiter.api.Assertions.assertTrue
import ringfence.core.Clock
import ringfence.core.Environment
import ringfence.core.FetchCallback
import ringfence.core.IntelligenceClient
import ringfence.core.IntelligenceError
import ringfence.core.SystemClock
import ringfence.core.calls.HttpRequest
import ringfence.core.calls.HttpResponse
import ringfence.core.calls.Service
import ringfence.core.calls.Transport
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

/** How long this thread worked: what others do meanwhile does not count. */
fun workedMillis(work: () -> Unit): Long {
  val threads = ManagementFactory.getThreadMXBean()
  val before = threads.currentThreadCpuTime
  work()
  return (threads.currentThreadCpuTime - before) / 1_000_000
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

/** Waits as the clock of the device does, and records it. */
class RecordingClock : Clock {
  val waits = CopyOnWriteArrayList<Long>()

  override fun now(): Long = SystemClock.now()

  override fun sleep(millis: Long) {
    waits.add(millis)
    SystemClock.sleep(millis)
  }
}

/**
 * Gives up a call that has no answer, as after a time limit. Only the service can tell: on a busy
 * machine each call may take longer than any limit.
 */
class ImpatientTransport : Transport {
  private val transport = UrlConnectionTransport(60_000)
  private val givenUp = ConcurrentHashMap<String, Long>()

  override fun send(request: HttpRequest): HttpResponse {
    val (url, path) = "${request.url}".split("/sdk/v1/")
    val name = path.substringBefore('?')
    val answer = FutureTask { transport.send(request) }
    thread(isDaemon = true) { answer.run() }
    while (!answer.isDone && !isHung(url, name)) Thread.sleep(20)
    if (!answer.isDone) throw SocketTimeoutException("no response")
    try {
      return answer.get()
    } catch (error: ExecutionException) {
      throw error.cause ?: error
    }
  }

  @Synchronized
  private fun isHung(url: String, name: String): Boolean {
    val hung = service(url).send("/hung", emptyMap())[name] as Long? ?: 0
    return hung > (givenUp.put(name, hung) ?: 0)
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

  /** Waits until the call has arrived, or so many of them. */
  fun waitForCall(name: String, count: Int = 1) = until { calls(name).size >= count }

  /** Lets the service answer the calls that it holds. */
  fun release() {
    service(url).send("/release", emptyMap())
  }

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

/** What a callback was called with. */
data class Called(
  val success: Boolean,
  val dfrId: String?,
  val response: Map<String, Any?>?,
  val errorMessage: String?,
)

fun calling(work: (FetchCallback) -> Unit): CompletableFuture<Called> =
  CompletableFuture<Called>().also { done ->
    work { success, dfrId, response, message ->
      done.complete(Called(success, dfrId, response, message))
    }
  }

fun called(work: (FetchCallback) -> Unit): Called = calling(work).get(60, TimeUnit.SECONDS)
