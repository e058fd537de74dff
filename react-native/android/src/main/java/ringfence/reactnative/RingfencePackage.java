package ringfence.reactnative;

import com.facebook.react.BaseReactPackage;
import com.facebook.react.bridge.NativeModule;
import com.facebook.react.bridge.ReactApplicationContext;
import com.facebook.react.module.model.ReactModuleInfo;
import com.facebook.react.module.model.ReactModuleInfoProvider;
import java.util.Collections;

/** What does an app get? One TurboModule, which the bridge loads too. Autolinking finds this class. */
public final class RingfencePackage extends BaseReactPackage {
  private static final String NAME = NativeRingfenceDeviceIntelligenceSpec.NAME;

  @Override
  public NativeModule getModule(String name, ReactApplicationContext context) {
    return name.equals(NAME) ? new RingfenceDeviceIntelligence(context) : null;
  }

  @Override
  public ReactModuleInfoProvider getReactModuleInfoProvider() {
    // Does not replace another module, is made when it is used, is not of C++, and is a TurboModule.
    ReactModuleInfo info = new ReactModuleInfo(NAME, NAME, false, false, false, true);
    return () -> Collections.singletonMap(NAME, info);
  }
}
