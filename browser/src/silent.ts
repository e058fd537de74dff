// How does a page let the network verify the phone (SILENT)? A hidden frame opens the operator's URL, and the service answers by message.

export interface SilentReturn {
  /** For `verify`. */
  readonly code?: string
  /** Why the phone was not verified. */
  readonly error?: string
}

/** The frame may run its script and nothing else: no pop-ups, and it cannot lead this page elsewhere. */
const allowed = 'allow-scripts allow-same-origin'

/**
 * Opens the URL in a hidden frame. It goes over mobile data if the phone uses mobile data: a page cannot choose that. Ends with the
 * error `timeout` after `limitMs`, also when a Content-Security-Policy of the page forbids the frame.
 */
export function openSilently(url: string, limitMs: number): Promise<SilentReturn> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.referrerPolicy = 'no-referrer'
  frame.setAttribute('sandbox', allowed)
  frame.src = url
  let timer: ReturnType<typeof setTimeout> | undefined
  let listener: ((event: MessageEvent) => void) | undefined
  return new Promise<SilentReturn>((resolve) => {
    listener = ({ source, data }) => {
      // The code is checked by the service, so that of another page of the frame is worth nothing.
      if (source === frame.contentWindow && data?.ringfence) resolve(resultOf(data.ringfence))
    }
    addEventListener('message', listener)
    timer = setTimeout(() => resolve({ error: 'timeout' }), limitMs)
    document.documentElement.append(frame)
  }).finally(() => {
    clearTimeout(timer)
    if (listener) removeEventListener('message', listener)
    frame.remove()
  })
}

function resultOf({ ringfence_code: code, ringfence_error: error }: Record<string, unknown>): SilentReturn {
  if (typeof code === 'string') return { code }
  return { error: typeof error === 'string' ? error : 'unknown' }
}
