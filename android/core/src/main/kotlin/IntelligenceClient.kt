// Which object does an app initialise and then use to analyse the device? (specification 3, 4.7)
package ringfence.core

import java.util.concurrent.FutureTask
import kotlin.text.RegexOption.IGNORE_CASE
import ringfence.core.calls.Caller
import ringfence.core.calls.Service
import ringfence.core.calls.ServiceException
import ringfence.core.calls.Sessions
import ringfence.core.calls.withCause
import ringfence.core.json.jsonObjectOf

/** Called once, on a background thread. */
public fun interface InitializeCallback {
  public fun onResult(success: Boolean)
}

/**
 * Called once, on a background thread. After a success `response` has `dfrId`, `requestId`, and the
 * fields of the report, if the app's settings reveal it to the SDK. After a failure only
 * `errorMessage` is set.
 */
public fun interface FetchCallback {
  public fun onResult(
    success: Boolean,
    dfrId: String?,
    response: Map<String, Any?>?,
    errorMessage: String?,
  )
}

/**
 * Device intelligence of one app: not initialised, or with its session. No function blocks, and
 * none throws.
 *
 * @param environment made on a background thread
 */
public class IntelligenceClient(internal val environment: Lazy<Environment>) {
  /** One thread: fetches call the service one after the other. */
  private val inTurn = Background(threadPool(1), environment)

  /** Facts, which count when a fetch is called and not when its turn comes; and `initialize`. */
  private val atOnce = Background(threadPool(4), environment)

  @Volatile private var opened: Intelligences? = null

  public constructor(environment: Environment) : this(lazyOf(environment))

  /** True once `initialize` has succeeded. */
  public val isInitialized: Boolean
    get() = opened != null

  /**
   * The sessions, once initialised. A sign-in of the same app uses them, so that its dfrId belongs
   * to its session.
   */
  public val sessions: Sessions?
    get() = opened?.sessions

  /**
   * Opens a session for the app. Returns false if the app is unknown or disabled, does not list
   * this package, or the service cannot be reached. Call it again then, and before each fetch:
   * after a success it returns true at once, and false for another app id or URL.
   */
  public suspend fun initialize(appId: String, baseUrl: String): Boolean =
    atOnce.initialized(atOnce.await { open(appId, baseUrl) })

  /** The same with a callback. */
  public fun initialize(appId: String, baseUrl: String, callback: InitializeCallback?) {
    atOnce.run({ open(appId, baseUrl) }) { callback?.onResult(atOnce.initialized(it)) }
  }

  /**
   * Analyses the device. `params` are sent with the report, except reserved names. Fails with
   * IntelligenceError only.
   */
  public suspend fun fetch(
    params: Map<String, *>? = null,
    updateInfo: UpdateInfo? = null,
  ): Result<Intelligence> {
    val work = fetchWork(params, updateInfo)
    return withKnownError(inTurn.await { work() })
  }

  /** The same with a callback. */
  public fun fetch(params: Map<String, *>?, updateInfo: UpdateInfo?, callback: FetchCallback?) {
    inTurn.run(fetchWork(params, updateInfo)) { result ->
      withKnownError(result).fold({ callback?.onResult(true, it.dfrId, fieldsOf(it), null) }) {
        error ->
        // Support needs the requestId, and the callback has no parameter for it.
        (error as? IntelligenceError.Failed)?.requestId?.let {
          inTurn.log("no dfrId: ${withCause(error)} (requestId $it)")
        }
        callback?.onResult(false, null, null, error.message)
      }
    }
  }

  /** A fetch of a sign-in, which waits for it as long as it likes. */
  internal fun begin(input: FetchInput): FutureTask<Intelligence> =
    FutureTask(workOf { input }).also(inTurn::execute)

  /**
   * Copies what the app passed, because the app may change it while the fetch waits for its turn.
   */
  private fun fetchWork(params: Map<String, *>?, updateInfo: UpdateInfo?): () -> Intelligence {
    val input = runCatching { FetchInput(params?.let(::jsonObjectOf), updateInfo?.copied()) }
    return workOf { input.getOrThrow() }
  }

  /** Begins to read the facts. The work sends them. */
  private fun workOf(input: () -> FetchInput): () -> Intelligence {
    val intelligences = opened ?: return { throw IntelligenceError.NotConfigured() }
    val facts = FutureTask(intelligences::read)
    val begun = runCatching { atOnce.execute(facts) }
    return {
      begun.getOrThrow()
      intelligences.fetch(facts.await(Long.MAX_VALUE), input())
    }
  }

  private fun withKnownError(result: Result<Intelligence>): Result<Intelligence> =
    result.fold({ result }) { error ->
      Result.failure(
        when (error) {
          is IntelligenceError.NotConfigured -> error.also { inTurn.log("${it.message}: $TO_DO") }
          is IntelligenceError -> error
          is ServiceException ->
            IntelligenceError.Failed(error.requestId, error.message).apply {
              initCause(error.cause)
            }
          else -> IntelligenceError.Unknown(error).also { inTurn.log("${it.message}: $error") }
        }
      )
    }

  private fun fieldsOf(intelligence: Intelligence): Map<String, Any?> =
    intelligence.report.orEmpty() +
      mapOf("dfrId" to intelligence.dfrId, "requestId" to intelligence.requestId)

  @Synchronized
  private fun open(appId: String, baseUrl: String): Boolean {
    val sessions = newSessions(environment.value, appId, baseUrl)
    opened?.let {
      if (it.sessions.caller == sessions.caller) return true
      error("another app id or base URL is already in use")
    }
    sessions.current()
    opened = Intelligences(sessions, environment.value)
    return true
  }
}

private const val TO_DO = "call initialize first, and again when it has returned false"

private val appIds = Regex("[!-~]{1,128}")

/** Facts and credentials are not sent in the clear, except by a developer. */
private val ofThisMachine =
  Regex("http://(localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\])(:[0-9]{1,5})?(/.*)?", IGNORE_CASE)

/** Throws ServiceException when the values cannot be those of an app and a service. */
internal fun newSessions(environment: Environment, appId: String, baseUrl: String): Sessions {
  if (!appIds.matches(appId)) throw ServiceException("the app id is malformed")
  if (!baseUrl.startsWith("https://", ignoreCase = true) && !ofThisMachine.matches(baseUrl)) {
    throw ServiceException(
      "set baseUrl to the URL of your Ringfence service, for example https://ringfence.example. " +
        "HTTP is for a service on this machine only"
    )
  }
  val caller = Caller(appId, baseUrl, environment.packageName, environment.systemVersion)
  return Sessions(caller, Service(baseUrl, environment.transport), environment.clock)
}
