// Which are my new recovery codes? They are shown once.

import { Copy } from '../../parts/copy.tsx'
import './account.css'

export function NewCodesList({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p>The previous recovery codes do not work any more. Store these now: they are not shown again.</p>
      <ul className="new-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Copy value={codes.join('\n')}>Copy all</Copy>
    </>
  )
}
