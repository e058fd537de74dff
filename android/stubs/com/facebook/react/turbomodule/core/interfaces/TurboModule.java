package com.facebook.react.turbomodule.core.interfaces;

public interface TurboModule {}
