package com.facebook.react;

import com.facebook.react.bridge.NativeModule;
import com.facebook.react.bridge.ReactApplicationContext;
import com.facebook.react.uimanager.ViewManager;
import java.util.List;

/** What the wrapper uses of React Native 0.75: tests compile and run it with these classes. */
public interface ReactPackage {
  List<NativeModule> createNativeModules(ReactApplicationContext context);

  @SuppressWarnings("rawtypes")
  List<ViewManager> createViewManagers(ReactApplicationContext context);
}
