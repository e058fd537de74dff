package com.facebook.react.bridge;

import java.util.Map;

public class WritableNativeMap {
  public final Map<String, Object> values;

  WritableNativeMap(Map<String, Object> values) {
    this.values = values;
  }
}
