package ringfence.device

import android.content.Context
import android.os.Build
import android.util.Log
import ringfence.core.Environment
import ringfence.core.calls.UrlConnectionTransport
import ringfence.device.facts.TouchFact
import ringfence.device.facts.deviceFacts
import ringfence.device.facts.tagSockets

/** What the SDK uses on a phone. `context`: of the app, not of an activity. */
internal fun deviceEnvironment(context: Context, touch: TouchFact): Environment =
  Environment(
    packageName = context.packageName,
    transport =
      UrlConnectionTransport {
        tagSockets()
        it.openConnection()
      },
    mobileData = CellularMobileData(context),
    storage = NoBackupStorage(context),
    facts = deviceFacts(context, touch),
    key = KeystoreKey(),
    systemVersion = Build.VERSION.RELEASE.orEmpty(),
    log = { Log.w("Ringfence", it) },
  )
