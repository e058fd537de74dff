package dalvik.system;

import java.lang.reflect.Array;

/** In place of Android's virtual machine. */
public final class VMRuntime {
  private static final VMRuntime RUNTIME = new VMRuntime();

  private VMRuntime() {}

  public static VMRuntime getRuntime() {
    return RUNTIME;
  }

  public Object newUnpaddedArray(Class<?> type, int least) {
    return Array.newInstance(type, least);
  }
}
