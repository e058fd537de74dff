// What does a page show of a call? Its answer; until then that it loads, or why it failed.

import type { ReactNode } from 'react'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'
import { Failed, Loading } from './empty.tsx'

interface Reading<Data> {
  readonly data: Data | undefined
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}

interface AnswerProps<Data> {
  of: Reading<Data>
  /** Grey lines until it is there. */
  lines?: number
  /** A failure hides what was read before: it may be gone. */
  isStrict?: boolean
  children: (data: NonNullable<Data>) => ReactNode
}

export function Answer<Data>({ of: { data, error, refetch }, lines, isStrict = false, children }: AnswerProps<Data>) {
  if (error && (isStrict || !data)) return <Failed error={error} onRetry={() => void refetch()} />
  return data ? children(data) : <Loading lines={lines} />
}

/** Both answers, when a page needs both. */
export const both = <One, Other>(one: Reading<One>, other: Reading<Other>): Reading<readonly [One, Other]> => ({
  data: one.data === undefined || other.data === undefined ? undefined : [one.data, other.data],
  error: one.error ?? other.error,
  refetch: () => Promise.all([one.refetch(), other.refetch()]),
})

interface MoreProps {
  of: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly fetchNextPage: () => Promise<unknown>
  }
  className?: string
  children?: ReactNode
}

/** The button that reads the next page, while there is one. */
export function More({ of, className = 'table-more', children = texts.common.more }: MoreProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = of
  return (
    hasNextPage && (
      <div className={className}>
        <Button onPress={() => void fetchNextPage()} isDisabled={isFetchingNextPage}>
          {children}
        </Button>
      </div>
    )
  )
}
