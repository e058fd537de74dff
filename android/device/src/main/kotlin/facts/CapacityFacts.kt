package ringfence.device.facts

import android.app.ActivityManager
import android.content.Context
import android.os.StatFs
import android.os.SystemClock
import ringfence.core.facts.Fact

/** The memory of the device. */
internal class MemoryFact(private val context: Context) : Fact {
  override val name = "memory"

  override fun read(): Any {
    val info = ActivityManager.MemoryInfo()
    context.service<ActivityManager>().getMemoryInfo(info)
    return mapOf("totalBytes" to info.totalMem)
  }
}

/** The volume of the app's files. */
internal class DiskSpaceFact(private val context: Context) : Fact {
  override val name = "diskSpace"

  override fun read(): Any {
    val volume = StatFs(context.applicationInfo.dataDir)
    return mapOf("totalBytes" to volume.totalBytes, "availableBytes" to volume.availableBytes)
  }
}

/** When the device was started, in epoch seconds. */
internal class BootTimeFact : Fact {
  override val name = "bootTime"

  override fun read(): Any = (System.currentTimeMillis() - SystemClock.elapsedRealtime()) / 1_000
}
