package com.facebook.react.module.model;

public final class ReactModuleInfo {
  public final String name;
  public final boolean isTurboModule;

  public ReactModuleInfo(
      String name,
      String className,
      boolean canOverrideExistingModule,
      boolean needsEagerInit,
      boolean isCxxModule,
      boolean isTurboModule) {
    this.name = name;
    this.isTurboModule = isTurboModule;
  }
}
