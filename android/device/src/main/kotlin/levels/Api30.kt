package ringfence.device.levels

import android.content.pm.PackageManager
import android.os.UserManager
import android.telephony.TelephonyManager

/** Members of Android 11. */
internal object Api30 {
  fun installer(packages: PackageManager, packageName: String): String? =
    packages.getInstallSourceInfo(packageName).installingPackageName

  fun isManagedProfile(users: UserManager): Boolean = users.isManagedProfile

  fun modemCount(telephony: TelephonyManager): Int = telephony.activeModemCount
}
