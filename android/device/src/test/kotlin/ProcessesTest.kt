package ringfence

import java.io.Closeable
import java.io.File
import java.io.IOException
import java.util.concurrent.CompletableFuture
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import ringfence.device.NoBackupStorage

/** A process of an app, beside others: counts under the lock, and makes an id if there is none. */
object AppProcess {
  @JvmStatic
  fun main(arguments: Array<String>) {
    val (folder, count) = arguments
    val storage = NoBackupStorage(TestPhone(File(folder)))
    repeat(count.toInt()) {
      locked(storage).use {
        storage.store("count", "${(storage.text("count") ?: "0").toInt() + 1}")
      }
      // Without a lock the last one counts, and no write fails.
      storage.store("busy", "of a process")
    }
  }
}

/** As long as it takes: another process may be stopped while it holds the lock. */
private fun locked(storage: NoBackupStorage): Closeable {
  while (true) {
    try {
      return storage.lock("count")
    } catch (_: TimeoutException) {}
  }
}

/** An app with several processes, such as one for its push messages. */
class ProcessesTest {
  @TempDir lateinit var folder: File

  private fun started(count: Int): Process {
    val classes =
      System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
    val java = File(System.getProperty("java.home"), "bin/java").path
    return ProcessBuilder(
        java,
        "-XX:TieredStopAtLevel=1",
        "-cp",
        classes,
        AppProcess::class.java.name,
        folder.path,
        "$count",
      )
      .redirectErrorStream(true)
      .redirectOutput(File(folder, "output-${System.nanoTime()}"))
      .start()
  }

  @Test
  fun `processes exclude each other, and never leave half a value or a file of their own`() {
    val processes = List(4) { started(200) }
    for (process in processes) {
      assertTrue(process.waitFor(300, TimeUnit.SECONDS))
      val output = folder.listFiles { file -> file.name.startsWith("output-") }.orEmpty()
      assertEquals(0, process.exitValue(), output.joinToString { it.readText() })
    }
    val storage = NoBackupStorage(TestPhone(folder))
    assertEquals("800", storage.text("count"))
    assertEquals("of a process", storage.text("busy"))
    val files = File(folder, "ringfence").list().orEmpty().toSet()
    assertEquals(setOf("count", "count.lock", "busy"), files)
  }

  @Test
  fun `a thread that holds a lock too long costs others two seconds, and they go on`() {
    val storage = NoBackupStorage(TestPhone(folder))
    val lock = storage.lock("key")
    val other =
      CompletableFuture.supplyAsync { runCatching { storage.lock("key") }.exceptionOrNull() }
    assertTrue(other.get(60, TimeUnit.SECONDS) is TimeoutException)
    CompletableFuture.runAsync { storage.lock("signIns").close() }.get(60, TimeUnit.SECONDS)
    lock.close()
    storage.lock("key").close()
  }

  @Test
  fun `a phone that is not unlocked yet stores nothing, and the same process stores once it is`() {
    val storage = NoBackupStorage(TestPhone(File(folder, "encrypted")))
    val closed = File(folder, "encrypted").apply { writeText("") }
    assertNull(storage.text("inId"))
    assertThrows(IOException::class.java) { storage.store("inId", "early") }
    assertThrows(IOException::class.java) { storage.lock("inId") }
    closed.delete()
    storage.lock("inId").use { storage.store("inId", "later") }
    assertEquals("later", storage.text("inId"))
  }
}
