package ringfence.device

import android.content.Context
import java.io.File
import ringfence.core.Storage

/**
 * Files that Android never copies to another phone: a restored installation id would be that of two
 * phones.
 */
internal class NoBackupStorage(private val context: Context) : Storage {
  private val folder by lazy { File(context.noBackupFilesDir, "ringfence").apply { mkdirs() } }

  override fun text(name: String): String? =
    File(folder, name).takeIf { it.exists() }?.readText()?.ifEmpty { null }

  override fun store(name: String, text: String?) {
    val file = File(folder, name)
    if (text == null) {
      file.delete()
      return
    }
    // A process that ends in between leaves the old value.
    val written = File(folder, "$name.new").apply { writeText(text) }
    if (!written.renameTo(file)) error("$file cannot be written")
  }
}
