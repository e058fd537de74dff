// How does a person call the command line again? As this process was started: with npx in a clone or a project, else by its name or file.

import { accessSync, constants, existsSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the clone, or of the release: its modules keep their places. */
const home = fileURLToPath(import.meta.url).replace(/[\\/](server[\\/]src[\\/]core|dist)[\\/][^\\/]+$/, '')

/** A release has no examples. */
export const isClone = existsSync(`${home}/examples`)

export interface Started {
  readonly isClone: boolean
  /** PATH of the environment. */
  readonly path: string | undefined
  /** The folder of the program. */
  readonly home: string
  readonly isExecutable: (file: string) => boolean
}

/** npx and npm add the folder of a project to PATH, which the person's shell does not have. */
const isOfNpm = (folder: string) => /[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder)

/** What a person types in place of `ringfence`. */
export function commandNameOf({ isClone, path = '', home, isExecutable }: Started): string {
  if (isClone) return 'npx ringfence'
  const folders = path.split(delimiter).filter((folder) => folder !== '' && !isOfNpm(folder))
  if (folders.some((folder) => isExecutable(join(folder, 'ringfence')))) return 'ringfence'
  if (basename(dirname(home)) === 'node_modules') return 'npx ringfence'
  const unpacked = join(home, 'bin', 'ringfence')
  return isExecutable(unpacked) && /^[\w./-]+$/.test(unpacked) ? unpacked : 'ringfence'
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const commandName = commandNameOf({ isClone, path: process.env.PATH, home, isExecutable })

export const commands =
  'admin apps audit backup check clients costs data decisions devices doctor events init keys lists numbers people privacy restore reviews routes rules serve sign-in test-service users watches webhooks'
const written = new RegExp(`(?<![\\w./@-]|npx )ringfence (?=(?:${commands.replaceAll(' ', '|')})\\b)`, 'g')

/** A text whose commands can be pasted. `name`: for readers on other machines, who need not know where this one has its files. */
export const pasteable = (text: string, name = commandName): string => text.replaceAll(written, `${name} `)

/** For what callers read. */
export const nameForCallers = commandName.startsWith('npx ') ? commandName : 'ringfence'
