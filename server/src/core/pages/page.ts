// What is a page? An answer for people or for operations, beside the endpoints of the contract.

export interface Page {
  status?: number
  type: string
  body: string | Uint8Array
  /** In addition to the headers of every page; without `cache-control` it is `no-cache`. */
  headers?: Readonly<Record<string, string>>
  /** The same body, for clients that accept gzip. */
  gzipped?: Uint8Array
  /** The same body, for clients that accept Brotli: a sixth smaller. */
  brotli?: Uint8Array
}
