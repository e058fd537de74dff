package com.facebook.react;

import com.facebook.react.bridge.NativeModule;
import com.facebook.react.bridge.ReactApplicationContext;
import com.facebook.react.module.model.ReactModuleInfoProvider;

/** What the wrapper uses of React Native 0.75: tests compile and run it with these classes. */
public abstract class BaseReactPackage {
  public abstract NativeModule getModule(String name, ReactApplicationContext context);

  public abstract ReactModuleInfoProvider getReactModuleInfoProvider();
}
