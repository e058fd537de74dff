package ringfence.device

import android.content.Context
import android.util.Log
import ringfence.core.Environment
import ringfence.device.facts.TouchFact
import ringfence.device.facts.deviceFacts

/** What the SDK uses on a phone. Cheap: the parts read nothing before they are used. */
internal fun deviceEnvironment(context: Context, touch: TouchFact): Environment {
  val app = context.applicationContext ?: context // null in Application.attachBaseContext
  return Environment(
    packageName = app.packageName,
    mobileData = CellularMobileData(app),
    storage = NoBackupStorage(app),
    facts = deviceFacts(app, touch),
    key = KeystoreKey(),
    log = { Log.w("Ringfence", it) },
  )
}
