// Digests: man 3cc CC_SHA
#pragma once
#include "Darwin.h"
typedef uint32_t CC_LONG;
unsigned char *_Nullable CC_SHA256(const void *_Nullable data, CC_LONG len, unsigned char *_Nullable md);
#define CC_SHA256_DIGEST_LENGTH 32
