package ringfence.device.facts

import android.content.Context
import android.os.Build.VERSION.SDK_INT
import android.os.UserManager
import android.provider.Settings
import ringfence.core.facts.Fact
import ringfence.device.levels.Api30

/** Settings for developers. */
internal class DeveloperOptionsFact(private val context: Context) : Fact {
  override val name = "developerOptions"

  override fun read(): Any =
    known(
      // Absent until somebody opens them.
      "isEnabled" to
        orNull {
          val setting = Settings.Global.DEVELOPMENT_SETTINGS_ENABLED
          Settings.Global.getInt(context.contentResolver, setting, 0) != 0
        },
      "isAdbEnabled" to context.globalFlag(Settings.Global.ADB_ENABLED),
      "isWirelessDebuggingEnabled" to
        if (SDK_INT >= 30) context.globalFlag("adb_wifi_enabled") else null,
    )
}

/** Who sets the clock. */
internal class ClockFact(private val context: Context) : Fact {
  override val name = "clock"

  override fun read(): Any =
    known(
      "isAutomatic" to context.globalFlag(Settings.Global.AUTO_TIME),
      "isZoneAutomatic" to context.globalFlag(Settings.Global.AUTO_TIME_ZONE),
    )
}

/** The user of Android that runs the app: a work profile, or a second user. */
internal class UserFact(private val context: Context) : Fact {
  override val name = "user"

  override fun read(): Any {
    val users = context.service<UserManager>()
    return known(
      "isManaged" to if (SDK_INT >= 30) Api30.isManagedProfile(users) else null,
      "isSystemUser" to users.isSystemUser,
    )
  }
}

/** Null: the system does not have the setting, or hides it. */
private fun Context.globalFlag(name: String): Boolean? = orNull {
  Settings.Global.getInt(contentResolver, name) != 0
}
