// What do facts share?
package ringfence.device.facts

import android.content.Context
import android.content.pm.PackageManager
import android.net.TrafficStats
import java.security.MessageDigest

/**
 * A service of the system. Throws when the device does not have it: the fact is then unavailable.
 */
internal inline fun <reified Service : Any> Context.service(): Service =
  checkNotNull(getSystemService(Service::class.java)) { "no ${Service::class.java.simpleName}" }

/** Members of a fact, without those that are not known. */
internal fun known(vararg members: Pair<String, Any?>): Map<String, Any> {
  val known = LinkedHashMap<String, Any>()
  for ((name, value) in members) if (value != null) known[name] = value
  return known
}

/**
 * Whether an app is installed. Since Android 11 an app sees only those that its manifest names in
 * `<queries>`.
 */
internal fun Context.hasApp(packageName: String): Boolean =
  try {
    packageManager.getPackageInfo(packageName, 0)
    true
  } catch (_: PackageManager.NameNotFoundException) {
    false
  }

/** Null if the system refuses. */
internal fun <Value> orNull(read: () -> Value?): Value? =
  try {
    read()
  } catch (_: Exception) {
    null
  }

/**
 * For the sockets that this thread opens from now on: StrictMode ends an app whose sockets have no
 * tag.
 */
internal fun tagSockets(): Unit = TrafficStats.setThreadStatsTag(0x5246)

internal fun sha256Hex(bytes: ByteArray): String =
  MessageDigest.getInstance("SHA-256").digest(bytes).joinToString("") {
    ((it.toInt() and 255) + 256).toString(16).drop(1)
  }
