// Proxies: developer.apple.com/documentation/cfnetwork/cfnetworkcopysystemproxysettings()
#pragma once
@import Foundation;
#include "CoreFoundation.h"
__attribute__((cf_returns_retained)) CFDictionaryRef _Nullable CFNetworkCopySystemProxySettings(void);
