// What does an edit begin with? The live rules, or a draft that a person chooses by its name.

import { useNavigate } from '@tanstack/react-router'
import type { RuleVersions } from '../../../api/types.ts'
import { Select } from '../../../parts/field.tsx'
import { versionName } from '../../decision/rules-card.tsx'

interface StartFromProps {
  version: number
  live: number
  versions: RuleVersions['versions']
}

export function StartFrom({ version, live, versions }: StartFromProps) {
  const navigate = useNavigate()
  const drafts = versions.filter(({ draft }) => draft)
  const own = drafts.filter(({ draft }) => draft?.isYours)
  const others = drafts.filter(({ draft }) => !draft?.isYours)
  const all = [live, ...[...own, ...others].map((each) => each.version), version]
  const options = Object.fromEntries([...new Set(all)].map((each) => [` ${each}`, baseName(each, live, versions)]))
  return (
    <Select
      bare
      label="Start from"
      options={options}
      value={` ${version}`}
      onChange={(chosen) => {
        const base = Number(chosen)
        if (base !== version) void navigate({ to: '/rules/edit', search: base === live ? {} : { base } })
      }}
    />
  )
}

/** A version as a person knows it: a draft by its name, else by its number. */
export function baseName(version: number, live: number, versions: RuleVersions['versions']): string {
  const draft = versions.find((each) => each.version === version)?.draft
  if (draft) return `“${draft.name}”, ${draft.isYours ? 'your draft' : `draft of ${draft.owner}`}`
  const name = versionName(version)
  return version === live ? `Live ${name.toLowerCase()}` : name
}
