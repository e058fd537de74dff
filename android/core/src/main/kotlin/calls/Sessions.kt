// Which session do the SDK's calls use? One, renewed when the service refuses it.
package ringfence.core.calls

import java.net.URLEncoder
import java.util.concurrent.ExecutionException
import java.util.concurrent.FutureTask
import ringfence.core.Clock

/**
 * The credentials of this process for its calls. They expire after some minutes.
 *
 * @property id sent as `tsId`
 * @property collect facts that are false in the app's settings
 */
public class Session(
  public val id: String,
  public val headers: Map<String, String>,
  public val collect: Map<String, Boolean>,
)

/** The app that calls, by its public id. */
public data class Caller(
  public val appId: String,
  public val baseUrl: String,
  public val packageName: String,
  public val systemVersion: String,
) {
  /** Names what is stored for this app at this service. */
  internal val owner: String
    get() = "$appId $baseUrl"
}

/** The sessions of one app in this process, one at a time. Concurrent callers share one session. */
public class Sessions(
  public val caller: Caller,
  public val service: Service,
  private val clock: Clock,
) {
  private val lock = Any()
  private var opening: FutureTask<Session>? = null
  private var session: Session? = null

  /** Which facts the service wanted in the last session. */
  @Volatile
  internal var collect: Map<String, Boolean> = emptyMap()
    private set

  /** For the next engine call. The service accepts it once. */
  private var challenge = ""

  /** The current session. Opens one, with retries, if there is none. Throws ServiceException. */
  public fun current(): Session {
    val task =
      synchronized(lock) {
        session?.let {
          return it
        }
        opening ?: FutureTask { withRetries(clock, ::open) }.also { opening = it }
      }
    try {
      task.run() // by the first caller; the others wait
      return task.get()
    } catch (error: ExecutionException) {
      throw error.cause ?: error
    } finally {
      synchronized(lock) { if (opening === task) opening = null }
    }
  }

  /**
   * Runs work that needs a session. If the service responds with 401, runs it once more in a new
   * session.
   */
  public fun <Value> run(work: (Session) -> Value): Value {
    val used = current()
    try {
      return work(used)
    } catch (error: ServiceException) {
      if (!error.isOfSession) throw error
    }
    synchronized(lock) {
      if (session === used) session = null
    } // another call may have renewed it already
    return work(current())
  }

  /** Throws 401 if another call has renewed the session, so that `run` continues in the new one. */
  internal fun challengeOf(used: Session): String =
    synchronized(lock) {
      if (session !== used) throw ServiceException("The session was renewed", status = 401)
      challenge
    }

  /** Stores the next challenge, unless the session was renewed since. */
  internal fun store(next: String, used: Session) {
    synchronized(lock) { if (session === used) challenge = next }
  }

  private fun open(): Session {
    val packageName = URLEncoder.encode(caller.packageName, "UTF-8")
    val version = URLEncoder.encode(caller.systemVersion.take(64), "UTF-8")
    val path =
      "/sdk/v1/device-fingerprint/config?packageName=$packageName&platform=ANDROID&systemVersion=$version"
    val config = service.send(path, mapOf("appId" to caller.appId))
    val id = config.text("sessionId")
    val token = config.text("sessionToken")
    val first = config.text("challenge")
    if (id == null || token == null || first == null)
      throw ServiceException("The response has no session")
    val switches =
      config.members("collect").orEmpty().mapNotNull { (name, on) ->
        (on as? Boolean)?.let { name to it }
      }
    val headers = mapOf("appId" to caller.appId, "authorization" to "Bearer $token")
    collect = switches.toMap()
    val opened = Session(id, headers, collect)
    synchronized(lock) {
      session = opened
      challenge = first
    }
    return opened
  }
}
