package com.facebook.proguard.annotations;

public @interface DoNotStrip {}
