// Which versions are there? Their stages, and of a draft its name, whose it is and on what it is based.

import { useState } from 'react'
import { useMay } from '../../api/session.tsx'
import type { RuleVersions } from '../../api/types.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Confirm } from '../../parts/forms/confirm.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Link } from '../../parts/link.tsx'
import { Time } from '../../parts/values/time.tsx'
import { versionName } from '../decision/rules-card.tsx'
import { rulesReads } from './version-actions.tsx'
import './rules.css'

type Version = RuleVersions['versions'][number]

const stageTones = { live: 'green', shadow: 'violet', draft: 'neutral' } as const

export function VersionsCard({ versions, shown }: RuleVersions & { shown: number | undefined }) {
  const may = useMay()
  const [discarded, setDiscarded] = useState<Version>()
  const mayDiscard = ({ draft }: Version) =>
    draft !== undefined && may('rules.write') && (draft.isYours || may('rules.publish'))
  return (
    <Card title="Versions">
      <ul className="versions">
        {versions.map((each) => (
          <li key={each.version}>
            <VersionLink version={each} isShown={each.version === shown} />
            {mayDiscard(each) && (
              <Button
                kind="quiet"
                square
                aria-label={`Discard the draft ${each.draft?.name}`}
                onPress={() => setDiscarded(each)}
              >
                <Icon name="close" size={14} />
              </Button>
            )}
          </li>
        ))}
      </ul>
      {discarded?.draft && (
        <Confirm
          title={`Discard the draft “${discarded.draft.name}”?`}
          action="Discard"
          isOpen
          onClose={() => setDiscarded(undefined)}
          onConfirm={(call) => call('discardRuleDraft', { version: discarded.version })}
          reads={rulesReads}
        >
          <p>Nobody can choose it by its name any more. {versionName(discarded.version)} stays in this list.</p>
        </Confirm>
      )}
    </Card>
  )
}

function VersionLink({ version: { version, stages, draft, rules, createdAt }, isShown }: VersionLinkProps) {
  return (
    <Link to="/rules" search={{ version }} isCurrent={isShown}>
      <span>
        <b>{draft ? `“${draft.name}”` : versionName(version)}</b>
        {stages.map((stage) => (
          <Badge key={stage} tone={stageTones[stage]}>
            {stage}
          </Badge>
        ))}
      </span>
      {draft && (
        <span className="dim">
          {versionName(version)}, {draft.isYours ? 'your draft' : `draft of ${draft.owner}`}, based on{' '}
          {versionName(draft.basedOn).toLowerCase()}
        </span>
      )}
      <span className="dim">
        {rules === 1 ? '1 rule' : `${rules} rules`}
        {createdAt && ' · '}
        {createdAt && <Time at={createdAt} />}
      </span>
    </Link>
  )
}

interface VersionLinkProps {
  version: Version
  isShown: boolean
}
