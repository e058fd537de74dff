// How does a page read and change things? By the name of a call: its answer is kept, and read again when a change says so.

import {
  type UseMutationOptions,
  type UseMutationResult,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import type { AnswerOf, Call, CallName, RequestOf } from './call.ts'
import { useSession } from './session.tsx'
import { isOfEndedSession } from './session-end.ts'

type ReadOptions<Name extends CallName> = Partial<
  Pick<
    UseQueryOptions<AnswerOf<Name>>,
    'enabled' | 'staleTime' | 'gcTime' | 'retry' | 'refetchInterval' | 'refetchOnWindowFocus'
  >
>

/** The answer of a call, kept under its name and request. */
export function useRead<Name extends CallName>(name: Name, request: RequestOf<Name>, options: ReadOptions<Name> = {}) {
  const { call } = useSession()
  return useQuery<AnswerOf<Name>>({
    queryKey: [name, request],
    queryFn: ({ signal }) => call(name, request, { signal }),
    ...options,
  })
}

/** Names of calls whose answers come in pages. */
type PagedName = { [Name in CallName]: 'cursor' extends keyof RequestOf<Name> ? Name : never }[CallName]

/** An answer in pages: `data` is what `read` finds in all that were read. */
export function usePages<Name extends PagedName, Found>(
  name: Name,
  request: Omit<RequestOf<Name>, 'cursor'>,
  read: (pages: readonly AnswerOf<Name>[]) => Found,
) {
  const { call } = useSession()
  return useInfiniteQuery({
    queryKey: [name, 'pages', request],
    queryFn: ({ pageParam, signal }) =>
      call(name, { ...request, cursor: pageParam } as unknown as RequestOf<Name>, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => nextOf(page),
    select: ({ pages }) => read(pages),
  })
}

function nextOf(page: object): string | undefined {
  const { next, nextCursor } = page as { readonly next?: string; readonly nextCursor?: string }
  return next ?? nextCursor
}

export interface ChangeOptions<Answer, Argument> {
  /** Calls whose answers it changes: they are read again. */
  readonly reads?: readonly string[]
  /** They are read again when it was refused too: somebody else was faster. */
  readonly readsAlways?: boolean
  readonly onDone?: ((answer: Answer, argument: Argument) => unknown) | undefined
  readonly onRefused?: () => void
}

/** What calls of these names have answered is read again where a page shows it. */
export function useReadAgain(names: readonly string[]): () => Promise<unknown> {
  const queries = useQueryClient()
  return () => Promise.all(names.map((name) => queries.invalidateQueries({ queryKey: [name] })))
}

/** What a person does. It was refused by a session that has ended: the next one forgets that, so that the page offers it again. */
export function useAct<Answer, Argument = void>(
  options: UseMutationOptions<Answer, Error, Argument>,
): UseMutationResult<Answer, Error, Argument> {
  const { me } = useSession()
  const act = useMutation(options)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another session forgets
  useEffect(() => {
    if (isOfEndedSession(act.error)) act.reset()
  }, [me?.session?.sessionId])
  return act
}

/** What a person changes by a click. */
export function useChange<Answer, Argument = void>(
  change: (call: Call, argument: Argument) => Promise<Answer>,
  { reads = [], readsAlways = false, onDone, onRefused }: ChangeOptions<Answer, Argument> = {},
): UseMutationResult<Answer, Error, Argument> {
  const { call } = useSession()
  const readAgain = useReadAgain(reads)
  return useAct({
    mutationFn: (argument: Argument) => change(call, argument),
    async onSuccess(answer, argument) {
      onDone?.(answer, argument)
      await readAgain()
    },
    async onError() {
      onRefused?.()
      if (readsAlways) await readAgain()
    },
  })
}
