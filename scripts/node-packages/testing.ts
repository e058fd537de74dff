// Builds testing/src into testing/dist. Run by npm ci (the root's prepare script) and by npm pack.

import * as testing from '../../testing/src/index.ts'
import { buildNodePackage } from './package.ts'

/** @param folder default: testing/dist */
export const buildTesting = (folder?: string): Promise<void> =>
  buildNodePackage({ workspace: 'testing', exported: testing, emittedTo: 'testing/src' }, folder)

if (import.meta.main) await buildTesting()
