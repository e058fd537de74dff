// What does a JVM have of a phone? Files. All else throws, as on a phone whose maker changed it.
package ringfence

import android.content.Context
import android.content.ContextWrapper
import android.content.pm.ApplicationInfo
import android.content.pm.PackageManager
import java.io.File

/** An app on a phone without services of the system. */
open class TestPhone(
  private val folder: File,
  private val packageName: String = "com.example.shop",
) : ContextWrapper(null) {
  override fun getApplicationContext(): Context = this

  override fun getPackageName(): String = packageName

  override fun getNoBackupFilesDir(): File = folder

  override fun getApplicationInfo(): ApplicationInfo =
    ApplicationInfo().also { it.dataDir = folder.path }

  override fun getSystemServiceName(type: Class<*>): String? = null

  override fun getSystemService(name: String): Any? = null

  override fun checkSelfPermission(permission: String): Int = PackageManager.PERMISSION_DENIED
}
