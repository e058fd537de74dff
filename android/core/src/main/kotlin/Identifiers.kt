// Which ids does the SDK send?
package ringfence.core

import java.util.UUID

/** Sent as `sdkVersion`. */
public const val SDK_VERSION: String = "1.0.0"

/** `<UUID>-<epoch seconds>` */
internal fun newInstallationId(clock: Clock): String =
  "${UUID.randomUUID()}-${maxOf(0, clock.now() / 1_000)}"

/** `inId`: made at the first start, and stored until the app is deleted. */
internal fun installationId(storage: ForgivingStorage, clock: Clock): String =
  storage.text("inId")
    ?: storage.locked("inId") {
      storage.text("inId") ?: newInstallationId(clock).also { storage.store("inId", it) }
    }
