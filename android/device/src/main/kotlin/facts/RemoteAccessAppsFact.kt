package ringfence.device.facts

import android.content.Context
import android.content.pm.PackageManager
import ringfence.core.facts.Fact

/**
 * Apps by which somebody else can see or control the phone, of those that the manifest names:
 * `ringfence-app-checks` adds them to it.
 */
internal class RemoteAccessAppsFact(private val context: Context) : Fact {
  override val name = "remoteAccessApps"

  override fun read(): Any? {
    val app =
      context.packageManager.getApplicationInfo(context.packageName, PackageManager.GET_META_DATA)
    val named = app.metaData?.getString("ringfence.remoteAccessApps") ?: return null
    return named.split(',').take(64).filter(context::hasApp).take(16)
  }
}
