// What does a new tenant do first? A key, an app, a snippet; then the first decision arrives while the page is open.

import { PageHead } from '../../parts/page-head.tsx'
import { texts } from '../../texts.ts'
import { FirstRun } from './first-run-list.tsx'

export function StartPage() {
  return (
    <>
      <PageHead title={texts.pages.start} under="Four steps to the first decision. They take about two minutes." />
      <FirstRun />
    </>
  )
}
