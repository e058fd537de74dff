// What may the calls of older server SDKs use?

import type { SignInNeeds } from '../authentication/room.ts'

export type LegacyApiNeeds = SignInNeeds
