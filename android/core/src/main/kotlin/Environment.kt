// What does the SDK depend on? Time, network, storage, facts and a key. Tests replace them.
package ringfence.core

import java.io.Closeable
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.locks.ReentrantLock
import ringfence.core.calls.Transport
import ringfence.core.calls.UrlConnectionTransport
import ringfence.core.facts.Fact
import ringfence.core.facts.localeFacts
import ringfence.core.mobiledata.MobileData
import ringfence.core.mobiledata.NoMobileData
import ringfence.core.proof.InstallationKey

/** The current time, and waiting. */
public interface Clock {
  /** Milliseconds since 1970. */
  public fun now(): Long

  /** Blocks the thread. */
  public fun sleep(millis: Long)
}

/** The clock of the device. */
public object SystemClock : Clock {
  override fun now(): Long = System.currentTimeMillis()

  override fun sleep(millis: Long): Unit = Thread.sleep(millis)
}

/** Text values by name that outlive the process. */
public interface Storage {
  /** Null: no value has this name. */
  public fun text(name: String): String?

  /** Null deletes the value. */
  public fun store(name: String, text: String?)

  /**
   * Other threads, and other processes of the app, get no lock of this name before this thread
   * closes it. Throws when it takes too long.
   */
  public fun lock(name: String): Closeable
}

/** Storage that ends with the process. */
public class TemporaryStorage : Storage {
  private val texts = ConcurrentHashMap<String, String>()
  private val lock = ReentrantLock()

  override fun text(name: String): String? = texts[name]

  override fun store(name: String, text: String?) {
    if (text == null) texts.remove(name) else texts[name] = text
  }

  override fun lock(name: String): Closeable {
    lock.lock()
    return Closeable(lock::unlock)
  }
}

/** Storage that never throws: a full disk costs what is stored, and not the report. */
internal class ForgivingStorage(private val storage: Storage, private val log: (String) -> Unit) {
  private val ofProcess = TemporaryStorage()

  /** Of those, what the storage did not take. */
  private val unstored = TemporaryStorage()

  fun text(name: String): String? {
    var isRead = false
    val text = orLog { storage.text(name).also { isRead = true } }
    return text ?: (if (isRead) unstored else ofProcess).text(name)
  }

  /** False: it is stored for this process only. */
  fun store(name: String, text: String): Boolean {
    ofProcess.store(name, text)
    val isStored = orLog { storage.store(name, text) } != null
    unstored.store(name, text.takeUnless { isStored })
    return isStored
  }

  /** Without a lock two processes may store different values, and the last one stays. */
  fun <Value> locked(name: String, work: () -> Value): Value {
    val lock = orLog { storage.lock(name) }
    try {
      return work()
    } finally {
      orLog { lock?.close() }
    }
  }

  /** Only with the lock, and with a value that other processes see, too. */
  fun withStored(name: String, work: (String) -> Unit) {
    orLog { storage.lock(name).use { storage.text(name)?.let(work) } }
  }

  private fun <Value> orLog(work: () -> Value): Value? =
    try {
      work()
    } catch (error: Exception) {
      log("the storage failed: $error")
      null
    }
}

/**
 * Everything that the SDK takes from outside.
 *
 * @property packageName of the app
 * @property mobileData for SILENT sign-ins
 * @property key proves the installation. Null: calls have no proof
 * @property systemVersion of Android: the service may not want some facts of it. Empty: not known
 */
public class Environment(
  public val packageName: String,
  public val clock: Clock = SystemClock,
  public val transport: Transport = UrlConnectionTransport(),
  public val mobileData: MobileData = NoMobileData,
  public val storage: Storage = TemporaryStorage(),
  public val facts: List<Fact> = localeFacts,
  public val key: InstallationKey? = null,
  public val systemVersion: String = "",
  public val log: (String) -> Unit = { System.err.println("Ringfence: $it") },
) {
  /** How long a call waits for its proof. */
  internal var proofLimitMillis: Long = 5_000
}
