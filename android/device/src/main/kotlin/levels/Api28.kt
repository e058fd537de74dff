package ringfence.device.levels

import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.Signature
import android.media.MediaDrm

/** Members of Android 9. */
internal object Api28 {
  fun close(drm: MediaDrm): Unit = drm.close()

  fun versionCode(info: PackageInfo): Long = info.longVersionCode

  fun signatures(packages: PackageManager, packageName: String): Array<Signature>? =
    packages
      .getPackageInfo(packageName, PackageManager.GET_SIGNING_CERTIFICATES)
      .signingInfo
      ?.apkContentsSigners
}
