package com.facebook.react.bridge;

import java.util.Map;

public final class Arguments {
  private Arguments() {}

  public static WritableNativeMap makeNativeMap(Map<String, Object> values) {
    return new WritableNativeMap(values);
  }
}
