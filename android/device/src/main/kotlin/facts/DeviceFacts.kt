package ringfence.device.facts

import android.content.Context
import ringfence.core.facts.Fact
import ringfence.core.facts.localeFacts

/** Every fact that the SDK reads, in the order of the contract. */
internal fun deviceFacts(context: Context, touch: TouchFact): List<Fact> =
  localeFacts +
    listOf(
      LanguagesFact(),
      DevicePixelRatioFact(context),
      ScreenFact(context),
      DeviceModelFact(),
      BuildFact(),
      MemoryFact(context),
      DiskSpaceFact(context),
      BootTimeFact(),
      DrmIdFact(),
      AndroidIdFact(context),
      AppIntegrityFact(context),
      RootTracesFact(context),
      HookTracesFact(),
      EmulatorTracesFact(),
      PeripheralsFact(context),
      NetworkInterfacesFact(),
      ProxyFact(context),
      ScreenCaptureFact(context),
      DeveloperOptionsFact(context),
      RemoteAccessAppsFact(context),
      AccessibilityServicesFact(context),
      InputMethodFact(context),
      AudioModeFact(context),
      touch,
      UserFact(context),
      WifiFact(context),
      ClockFact(context),
      SimFact(context),
      LocationFact(context),
    )
