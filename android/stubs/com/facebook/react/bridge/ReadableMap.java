package com.facebook.react.bridge;

import java.util.HashMap;

public interface ReadableMap {
  HashMap<String, Object> toHashMap();
}
