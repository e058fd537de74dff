// What do `initialize`, a first fetch and a sign-in cost? npm run test:android prints it. It runs
// without kotlinx.coroutines, as an app may.
package ringfence

import com.sun.management.ThreadMXBean
import java.lang.management.ManagementFactory
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import ringfence.core.Environment
import ringfence.core.FetchCallback
import ringfence.core.InitializeCallback
import ringfence.core.IntelligenceClient
import ringfence.core.UpdateInfo
import ringfence.core.facts.SimpleFact
import ringfence.signin.Channel
import ringfence.signin.HeadlessAuthentication
import ringfence.signin.Identity
import ringfence.signin.SignInCallback
import ringfence.signin.SignInError
import ringfence.signin.SignInRequest
import ringfence.signin.SignInTransaction

/** Of the threads of the SDK. `held`: for how many microseconds each call held its caller. */
private class Cost(val cpuMillis: Double, val kilobytes: Long, val held: Map<String, Long>)

private val threads = ManagementFactory.getThreadMXBean() as ThreadMXBean
private val facts =
  contract("samples/android-facts.everything").map { (name, value) -> SimpleFact(name) { value } }

/** Numbers far from each other, because the service limits messages to those that are near. */
private val count = AtomicInteger()

/** A phone makes its keys in hardware, so making one is no cost here. */
private val keyPair = SoftwareKey().also { it.make("", ByteArray(0)) }.pair!!

private fun ofSdk(): List<Long> =
  threads.dumpAllThreads(false, false).filter { it.threadName == "ringfence" }.map { it.threadId }

private fun total(read: (Long) -> Long): Long = ofSdk().sumOf { maxOf(0, read(it)) }

/** Calls as an app does, from one thread, and waits for each result. */
private class App(private val environment: () -> Environment) {
  val held = LinkedHashMap<String, Long>()

  fun run() {
    lateinit var client: IntelligenceClient
    lateinit var signIn: HeadlessAuthentication
    val initialized = Answer<Boolean>()
    timed("initialize") {
      client = IntelligenceClient(lazy(environment))
      client.initialize(started("APP_ID"), started("URL"), initialized)
    }
    check(initialized.get())
    val fetched = Answer<String?>()
    val info = UpdateInfo(userId = "u-1001", userEventType = UpdateInfo.UserEventType.LOGIN)
    timed("fetch") { client.fetch(mapOf("orderId" to "A-1"), info, fetched) }
    checkNotNull(fetched.get())
    val opened = Answer<Boolean>()
    timed("initialize a sign-in") {
      signIn = HeadlessAuthentication(client)
      signIn.initialize(started("APP_ID"), started("URL"), opened)
    }
    check(opened.get())
    val number = Identity.mobile("49151${10_000_000 + 4_000_001 * count.incrementAndGet()}")
    val started = Answer<SignInTransaction?>()
    timed("start") { signIn.start(SignInRequest(Channel.OTP, number), started) }
    checkNotNull(started.get())
  }

  private inline fun timed(name: String, call: () -> Unit) {
    val began = System.nanoTime()
    call()
    held[name] = (System.nanoTime() - began) / 1_000
  }
}

/** Made before the call: what an app makes for itself is no cost of the SDK. */
private class Answer<Value> : InitializeCallback, FetchCallback, SignInCallback<SignInTransaction> {
  private val done = CompletableFuture<Any?>()

  @Suppress("UNCHECKED_CAST") fun get(): Value = done.get(60, TimeUnit.SECONDS) as Value

  override fun onResult(success: Boolean) {
    done.complete(success)
  }

  override fun onResult(
    success: Boolean,
    dfrId: String?,
    response: Map<String, Any?>?,
    errorMessage: String?,
  ) {
    done.complete(dfrId)
  }

  override fun onResult(value: SignInTransaction?, error: SignInError?) {
    if (error == null) done.complete(value) else done.completeExceptionally(error)
  }
}

private fun costOfFirst(): Cost {
  val key =
    object : SoftwareKey() {
      override fun make(name: String, challenge: ByteArray) {
        pairs[name] = keyPair
      }
    }
  val app = App {
    Environment(started("PACKAGE_NAME"), facts = facts, key = key, log = { error(it) })
  }
  val cpu = total(threads::getThreadCpuTime)
  val bytes = total(threads::getThreadAllocatedBytes)
  app.run()
  return Cost(
    (total(threads::getThreadCpuTime) - cpu) / 1e6,
    (total(threads::getThreadAllocatedBytes) - bytes) / 1_000,
    app.held,
  )
}

fun main() {
  val first = costOfFirst()
  val later = List(20) { costOfFirst() }
  fun <Figure : Comparable<Figure>> median(of: (Cost) -> Figure) =
    later.map(of).sorted()[later.size / 2]
  fun text(cost: Cost) =
    "%.1f ms of CPU, %d kB; the caller held for %s"
      .format(
        cost.cpuMillis,
        cost.kilobytes,
        cost.held.map { (call, micros) -> "$micros µs ($call)" }.joinToString(),
      )
  println("initialize, fetch and start, in a new process: ${text(first)}")
  val held = first.held.mapValues { (call, _) -> median { it.held.getValue(call) } }
  println(
    "the same in a warm one, median of ${later.size}: ${text(Cost(median { it.cpuMillis }, median { it.kilobytes }, held))}"
  )
}
