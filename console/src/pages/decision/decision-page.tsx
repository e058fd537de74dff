// Which decision does the URL name? Its page.

import { useParams } from '@tanstack/react-router'
import { Investigation } from './investigation.tsx'

export function DecisionPage() {
  const { decisionId } = useParams({ from: '/decisions/$decisionId' })
  return <Investigation decisionId={decisionId} />
}
