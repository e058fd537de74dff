package ringfence.device.facts

import android.os.Build
import ringfence.core.facts.Fact

/** Maker, model and system. */
internal class DeviceModelFact : Fact {
  override val name = "deviceModel"

  override fun read(): Any =
    known(
      "brand" to Build.BRAND,
      "identifier" to Build.MODEL,
      "systemName" to "Android",
      "systemVersion" to Build.VERSION.RELEASE,
      "systemBuild" to Build.DISPLAY,
      "cpuType" to Build.SUPPORTED_ABIS?.firstOrNull(),
      "cores" to Runtime.getRuntime().availableProcessors(),
    )
}

/** How the system was built. */
internal class BuildFact : Fact {
  override val name = "build"

  override fun read(): Any =
    known(
      "fingerprint" to Build.FINGERPRINT,
      "hardware" to Build.HARDWARE,
      "product" to Build.PRODUCT,
      "tags" to Build.TAGS,
    )
}
