// How does a response become one text? By undici's `dispatch`: `request` makes a stream of it, for a third more CPU time.

import type { Dispatcher } from 'undici'

export interface HttpResponse {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/**
 * Sends a request and collects its response, which the dispatcher bounds. Rejects with the reason of the signal after an abort, else
 * with `faultOf` the error and whether the response had begun.
 *
 * @param onSending there is a connection, and the request is written now
 */
export function collected(
  dispatch: (handler: Dispatcher.DispatchHandler) => unknown,
  signal: AbortSignal,
  faultOf: (error: Error, hasResponse: boolean) => Error,
  onSending: () => void = () => {},
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let status = 0
    let headers: HttpResponse['headers'] = {}
    let abort = () => {}
    const leave = () => abort()
    signal.addEventListener('abort', leave, { once: true })
    dispatch({
      onRequestStart(controller) {
        abort = () => controller.abort(signal.reason)
        if (signal.aborted) abort()
        else onSending()
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode
        headers = received
      },
      onResponseData(_controller, chunk) {
        chunks.push(chunk)
      },
      onResponseEnd() {
        signal.removeEventListener('abort', leave)
        const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
        resolve({ status, headers, text: whole.toString() })
      },
      onResponseError(_controller, error) {
        signal.removeEventListener('abort', leave)
        reject(signal.aborted ? signal.reason : faultOf(error, status >= 200))
      },
    })
  })
}
