package ringfence.device.facts

import android.annotation.SuppressLint
import android.content.Context
import android.media.MediaDrm
import android.os.Build.VERSION.SDK_INT
import android.provider.Settings
import java.util.UUID
import ringfence.core.facts.Fact
import ringfence.device.levels.Api28

/** An id of the copy protection, hashed. It survives a reset. */
internal class DrmIdFact : Fact {
  override val name = "drmId"

  /** The service of the system hangs on some phones. */
  override val limitMillis = 1_000L

  override fun read(): Any? {
    val drm = MediaDrm(WIDEVINE)
    try {
      val id = drm.getPropertyByteArray(MediaDrm.PROPERTY_DEVICE_UNIQUE_ID)
      // Nothing, or zeros, would be the id of many phones.
      return id?.takeIf { bytes -> bytes.any { it.toInt() != 0 } }?.let(::sha256Hex)
    } finally {
      orNull { if (SDK_INT >= 28) Api28.close(drm) else @Suppress("DEPRECATION") drm.release() }
    }
  }

  private companion object {
    val WIDEVINE: UUID = UUID.fromString("edef8ba9-79d6-4ace-a3c8-27dcd51d21ed")
  }
}

/** An id of the system for this signing key, user and device. A reset changes it. */
internal class AndroidIdFact(private val context: Context) : Fact {
  override val name = "androidId"

  @SuppressLint("HardwareIds")
  override fun read(): Any? =
    Settings.Secure.getString(context.contentResolver, Settings.Secure.ANDROID_ID)?.ifEmpty { null }
}
