package ringfence.device.facts

import android.content.Context
import android.content.pm.ApplicationInfo
import android.content.pm.PackageManager
import android.content.pm.Signature
import android.os.Build.VERSION.SDK_INT
import android.os.Debug
import ringfence.core.facts.Fact
import ringfence.device.levels.Api28
import ringfence.device.levels.Api30

/** The app itself: who signed it, and who installed it. */
internal class AppIntegrityFact(private val context: Context) : Fact {
  override val name = "appIntegrity"

  override fun read(): Any {
    val packages = context.packageManager
    val info = packages.getPackageInfo(context.packageName, 0)
    @Suppress("DEPRECATION")
    val versionCode = if (SDK_INT >= 28) Api28.versionCode(info) else info.versionCode.toLong()
    return known(
      "bundleId" to context.packageName,
      "version" to info.versionName,
      "build" to versionCode.toString(),
      "certificates" to orNull { signatures(packages)?.map { sha256Hex(it.toByteArray()) } },
      "dataFolder" to context.applicationInfo.dataDir,
      "installer" to orNull { installer(packages) },
      "isDebugged" to Debug.isDebuggerConnected(),
    )
  }

  @Suppress("DEPRECATION")
  private fun signatures(packages: PackageManager): Array<Signature>? =
    if (SDK_INT >= 28) Api28.signatures(packages, context.packageName)
    else packages.getPackageInfo(context.packageName, PackageManager.GET_SIGNATURES).signatures

  /**
   * Empty: the system names none. Null for an app that came with the phone, which nobody installed.
   */
  @Suppress("DEPRECATION")
  private fun installer(packages: PackageManager): String? {
    if (context.applicationInfo.flags and ApplicationInfo.FLAG_SYSTEM != 0) return null
    val installer =
      if (SDK_INT >= 30) Api30.installer(packages, context.packageName)
      else packages.getInstallerPackageName(context.packageName)
    return installer.orEmpty()
  }
}
