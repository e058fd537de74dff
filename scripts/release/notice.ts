// Whose work does the release contain, and under which licences? The NOTICE file, and a refusal of licences that are not open.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAllowedLicence, type ProductionPackage } from '../production-tree.ts'
import { root } from './server-bundle.ts'

/** Rejects when a package has no licence that Ringfence may be delivered with. */
export async function noticeOf(packages: readonly ProductionPackage[]): Promise<string> {
  const refused = packages.filter(({ licence }) => !isAllowedLicence(licence))
  if (refused.length > 0) {
    const list = refused
      .map(({ name, version, licence = 'no licence' }) => `${name} ${version} (${licence})`)
      .join(', ')
    throw new Error(`the release would contain packages whose licence is not allowed: ${list}`)
  }
  const sections = await Promise.all(packages.map(section))
  return [
    'Ringfence',
    '',
    'Licensed under the Apache License, Version 2.0 (see LICENSE).',
    '',
    'IP data: IP Geolocation by DB-IP (https://db-ip.com), University of Oregon Route Views and the Number Resource',
    'Organization, licensed under CC BY 4.0. The data were converted to another file format.',
    '',
    'The software contains the work of others:',
    '',
    ...sections,
  ].join('\n')
}

async function section({ name, version, path, licence }: ProductionPackage): Promise<string> {
  const folder = join(root, path)
  const files = (await readdir(folder)).filter((file) => isLicenceFile.test(file)).toSorted()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return [`${'='.repeat(80)}`, `${name} ${version} (${licence})`, '', ...texts.map((text) => `${text.trim()}\n`)].join(
    '\n',
  )
}

/** LICENSE, licence.md, LICENSE-MIT, DBIP-LICENSE, NOTICE, COPYING; not a program of that name. */
const isLicenceFile = /^(?:[\w-]*licen[cs]e[\w.-]*|notice[\w.-]*|copying[\w.-]*)(?<!\.[cm]?[jt]s)$/i
