// What may the calls of older server SDKs use?

import type { SignInNeeds } from '../sign-in/authentication/room.ts'

export type LegacyApiNeeds = SignInNeeds
