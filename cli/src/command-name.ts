// How does a person call this command again? In a clone of the repository with npx, in an installed release by its name.

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(import.meta.url).replace(/cli[\\/]src[\\/][^\\/]+$/, '')

/** A release has no examples. */
export const isClone = existsSync(`${repository}examples`)

export const commandName = isClone ? 'npx ringfence' : 'ringfence'
