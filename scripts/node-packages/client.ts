// Builds node/src into node/dist. Run by npm ci (the root's prepare script) and by npm pack.

import * as client from '../../node/src/index.ts'
import { buildNodePackage } from './package.ts'

/** @param folder default: node/dist */
export const buildNodeClient = (folder?: string): Promise<void> =>
  buildNodePackage({ workspace: 'node', exported: client, emittedTo: '.' }, folder)

if (import.meta.main) await buildNodeClient()
