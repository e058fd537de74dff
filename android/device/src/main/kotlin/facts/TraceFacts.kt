package ringfence.device.facts

import android.content.Context
import java.io.File
import java.net.InetAddress
import java.net.InetSocketAddress
import java.net.Socket
import ringfence.core.facts.Fact

/** Traces of root that files show. What they cannot show, the attestation of the key does. */
internal class RootTracesFact(
  private val context: Context,
  private val linesOfFile: (path: String) -> List<String> = ::linesOf,
  private val linesOfProperties: () -> List<String> = ::linesOfGetprop,
) : Fact {
  override val name = "rootTraces"

  override fun read(): Any {
    val mounts =
      linesOfFile("/proc/self/mounts").filter { line -> KnownTraces.rootMounts.any { it in line } }
    return known(
      "paths" to (KnownTraces.rootPaths.filter(::exists) + mounts.map { it.take(256) }).take(64),
      "packages" to orNull { KnownTraces.rootPackages.filter(context::hasApp) },
      "properties" to orNull(::openProperties),
    )
  }

  /** Null: the system does not show its properties. */
  private fun openProperties(): List<String>? {
    val properties = linesOfProperties().mapNotNull { property.matchEntire(it)?.groupValues }
    if (properties.isEmpty()) return null
    val open =
      properties
        .map { (_, name, value) -> "$name=$value" }
        .filter { it in KnownTraces.openProperties }
    val isPermissive = linesOfFile("/sys/fs/selinux/enforce").firstOrNull() == "0"
    return if (isPermissive) open + "selinux=permissive" else open
  }

  private companion object {
    val property = Regex("\\[(.*)]: \\[(.*)]")
  }
}

/** What `getprop` prints. Throws if the system does not have it. */
private fun linesOfGetprop(): List<String> {
  val process = ProcessBuilder("/system/bin/getprop").redirectErrorStream(true).start()
  try {
    process.outputStream.close()
    return process.inputStream.bufferedReader().useLines { it.take(10_000).toList() }
  } finally {
    process.destroy()
  }
}

/** Traces of frameworks that change the app while it runs. */
internal class HookTracesFact : Fact {
  override val name = "hookTraces"

  override fun read(): Any {
    val maps = linesOf("/proc/self/maps").map { it.substringAfterLast('/', "") }
    val sockets =
      linesOf("/proc/net/unix").map { it.substringAfterLast(' ') }.filter { it.startsWith("@") }
    val libraries = (maps + sockets).distinct().filter(KnownTraces::isOfHook)
    tagSockets()
    return known(
      // Each process has maps: without them nothing is known.
      "libraries" to if (maps.isEmpty()) null else libraries.map { it.take(256) }.take(64),
      "classes" to KnownTraces.hookClasses.filter(::isLoaded),
      "openPorts" to KnownTraces.hookPorts.filter(::isOpen),
    )
  }

  private fun isLoaded(name: String): Boolean =
    try {
      Class.forName(name, false, HookTracesFact::class.java.classLoader)
      true
    } catch (_: Throwable) { // a hook may throw anything
      false
    }

  private fun isOpen(port: Int): Boolean =
    try {
      Socket().use {
        it.connect(
          InetSocketAddress(InetAddress.getByAddress(byteArrayOf(127, 0, 0, 1)), port),
          100,
        )
      }
      true
    } catch (_: Exception) {
      false
    }
}

/** Files that only emulators have. */
internal class EmulatorTracesFact : Fact {
  override val name = "emulatorTraces"

  override fun read(): Any = KnownTraces.emulatorPaths.filter(::exists)
}

private fun exists(path: String): Boolean = File(path).exists()

/** Empty if the system does not show the file. */
private fun linesOf(path: String): List<String> =
  try {
    File(path).bufferedReader().useLines { it.take(20_000).toList() }
  } catch (_: Exception) {
    emptyList()
  }
