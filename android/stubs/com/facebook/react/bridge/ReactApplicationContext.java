package com.facebook.react.bridge;

public abstract class ReactApplicationContext extends android.content.ContextWrapper {
  protected ReactApplicationContext(android.content.Context context) {
    super(context);
  }
}
