import { given } from '../feature.ts'
import type { StoreKeyring } from './keyring.ts'

/** The keys of the store, for what belongs to no tenant. */
export const keyring = given<StoreKeyring>().as('keyring')
