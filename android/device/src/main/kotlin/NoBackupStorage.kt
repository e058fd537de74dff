package ringfence.device

import android.content.Context
import java.io.Closeable
import java.io.File
import java.io.RandomAccessFile
import java.nio.channels.FileChannel
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.locks.ReentrantLock
import ringfence.core.Storage

/**
 * Files that Android never copies to another phone: a restored installation id would be that of two
 * phones. An app may have several processes.
 */
internal class NoBackupStorage(private val context: Context) : Storage {
  private val folder
    get() = File(context.noBackupFilesDir, "ringfence")

  override fun text(name: String): String? =
    File(folder, name).takeIf { it.exists() }?.readText()?.ifEmpty { null }

  override fun store(name: String, text: String?) {
    val file = File(madeFolder(), name)
    if (text == null) {
      file.delete()
      return
    }
    // A process that ends in between leaves the old value, and no two write into one file.
    val written = File.createTempFile(name, ".new", file.parentFile)
    try {
      written.writeText(text)
      if (!written.renameTo(file)) error("$file cannot be written")
    } finally {
      written.delete()
    }
  }

  override fun lock(name: String): Closeable {
    val deadline = System.nanoTime() + LIMIT_NANOS
    val ofThreads = locks.getOrPut(name) { ReentrantLock() }
    if (!ofThreads.tryLock(LIMIT_NANOS, TimeUnit.NANOSECONDS)) throw TimeoutException(name)
    var channel: FileChannel? = null
    try {
      channel = RandomAccessFile(File(madeFolder(), "$name.lock"), "rw").channel
      while (channel.tryLock() == null) {
        if (System.nanoTime() - deadline > 0) throw TimeoutException(name)
        Thread.sleep(10)
      }
      return Closeable { unlock(channel, ofThreads) }
    } catch (error: Throwable) {
      unlock(channel, ofThreads)
      throw error
    }
  }

  private fun unlock(channel: FileChannel?, ofThreads: ReentrantLock) {
    try {
      channel?.close()
    } finally {
      ofThreads.unlock()
    }
  }

  /** Each time: before the phone is unlocked for the first time, it cannot be made. */
  private fun madeFolder() = folder.apply { mkdirs() }

  private companion object {
    /** Of threads, by name: a lock of a file is one of the process. */
    val locks = ConcurrentHashMap<String, ReentrantLock>()
    const val LIMIT_NANOS = 2_000_000_000L
  }
}
