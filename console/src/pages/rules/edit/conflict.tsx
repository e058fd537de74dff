// What if somebody else has saved the same draft? Nothing is lost: it is saved under another name, or merged by hand.

import type { RuleVersions } from '../../../api/types.ts'
import { Button } from '../../../parts/button.tsx'
import { Link } from '../../../parts/link.tsx'
import type { Draft } from './use-draft.ts'
import type { Naming } from './use-draft-name.ts'
import type { Saving } from './use-saving.ts'
import './edit.css'

interface ConflictProps {
  draft: Draft
  naming: Naming
  versions: RuleVersions['versions']
  saving: Saving
}

export function Conflict({ draft, naming, versions, saving }: ConflictProps) {
  const other = versions.find((each) => each.draft?.name === naming.name)
  const free = naming.freeName()
  return (
    <div className="edit-conflict" role="alert">
      <p>
        <b>Somebody else has saved the draft “{naming.name}” meanwhile.</b> Your text is still here. Save it under
        another name, or look at the other draft, take over what you need, then save.
      </p>
      <Button
        kind="primary"
        isDisabled={saving.isPending}
        onPress={() => {
          naming.rename(free)
          saving.start({ name: free })
        }}
      >
        Save as “{free}”
      </Button>
      {other && (
        <Link to="/rules" search={{ version: other.version }} target="_blank" className="button">
          Open the other draft
        </Link>
      )}
      {other && (
        <Button
          onPress={() => {
            draft.rebase(other.version)
            saving.reset()
          }}
        >
          I have merged it
        </Button>
      )}
    </div>
  )
}
