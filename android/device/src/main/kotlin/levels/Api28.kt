package ringfence.device.levels

import android.content.pm.PackageInfo
import android.content.pm.PackageManager
import android.content.pm.Signature
import android.media.MediaDrm
import android.security.keystore.KeyGenParameterSpec

/** Members of Android 9. */
internal object Api28 {
  fun keepInStrongBox(spec: KeyGenParameterSpec.Builder): KeyGenParameterSpec.Builder =
    spec.setIsStrongBoxBacked(true)

  fun close(drm: MediaDrm): Unit = drm.close()

  fun versionCode(info: PackageInfo): Long = info.longVersionCode

  fun signatures(packages: PackageManager, packageName: String): Array<Signature>? =
    packages
      .getPackageInfo(packageName, PackageManager.GET_SIGNING_CERTIFICATES)
      .signingInfo
      ?.apkContentsSigners
}
