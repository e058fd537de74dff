// `ringfence doctor`: can this server do its work, and what should be changed? It reads everything and changes nothing.

import { stripVTControlCharacters, styleText } from 'node:util'
import { broken, type Finding, type State } from '@ringfence/server/admin/doctor/finding.ts'
import { type Config, ConfigurationError } from '@ringfence/server/core/config/config.ts'
import type { Command } from 'commander'
import { configurationOf, type PlaceOptions } from '../configuration.ts'
import { localUrl } from '../export-command.ts'
import { exitCodes, explain } from '../failure.ts'
import { type ServiceOptions, serviceUrlOf } from '../telecom/service-options.ts'
import { dataFindings } from './data-findings.ts'
import { frontFindings } from './front-findings.ts'
import { settingFindings } from './setting-findings.ts'
import { storeFindings } from './store-findings.ts'
import { upstreamFindings } from './upstream-findings.ts'

export interface DoctorOptions extends PlaceOptions, Pick<ServiceOptions, 'url'> {
  json?: true
}

/** Prints all findings. Exits with 1 when something is broken. */
export async function doctor({ json, url, ...place }: DoctorOptions, command: Command): Promise<void> {
  const usage = (message: string): never => command.error(`error: ${message}`, { exitCode: exitCodes.usage })
  const findings = await findingsOf(place, url === undefined ? undefined : serviceUrlOf({ url }, usage))
  const isBroken = findings.some(({ state }) => state === 'broken')
  console.log(json ? JSON.stringify({ broken: isBroken, findings }) : asText(findings))
  if (isBroken) process.exitCode = exitCodes.failed
}

async function findingsOf(place: PlaceOptions, url: string | undefined): Promise<Finding[]> {
  let config: Config
  try {
    config = configurationOf(place)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return [broken('configuration', explain(error), 'correct it: nothing else was checked')]
  }
  const groups = await Promise.all([
    storeFindings(config),
    upstreamFindings(config),
    dataFindings(config),
    frontFindings(config, url ?? localUrl(config.settings)),
  ])
  return [...settingFindings(config), ...groups.flat()]
}

const marks: Readonly<Record<State, readonly [string, 'green' | 'yellow' | 'red' | 'gray']>> = {
  ok: ['ok', 'green'],
  warning: ['warning', 'yellow'],
  broken: ['BROKEN', 'red'],
  unknown: ['unknown', 'gray'],
}

function asText(findings: readonly Finding[]): string {
  const subjectWidth = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.flatMap(({ subject, state, text, todo }) => {
    const [word, colour] = marks[state]
    const head = `${styleText(colour, word.padEnd(7))}  ${subject.padEnd(subjectWidth)}  `
    const indent = ' '.repeat(stripVTControlCharacters(head).length)
    return [`${head}${text}`, ...(todo === undefined ? [] : [`${indent}→ ${todo}`])]
  })
  const count = (state: State) => findings.filter((finding) => finding.state === state).length
  return [...lines, '', `${count('broken')} broken, ${count('warning')} with a warning.`].join('\n')
}
