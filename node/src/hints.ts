// What is to do when there was no answer of Ringfence? By the reason of the connection.

/** A part of the reason, and what to do. The first that fits counts. */
const hints: readonly (readonly [reason: RegExp, hint: string])[] = [
  [/ECONNREFUSED/i, 'Nothing listens there: is the service running, and are host and port of baseUrl right?'],
  [/ENOTFOUND|EAI_AGAIN/i, 'The host name of baseUrl is unknown'],
  [
    /wrong version number|packet length too long|ERR_SSL/i,
    'The service speaks plain HTTP there: use http:// in baseUrl, or the port of the proxy that has the certificate',
  ],
  [
    /self.signed|unable to verify|UNABLE_TO|CERT_/i,
    'Its certificate is not trusted: set NODE_EXTRA_CA_CERTS to the certificate of your authority',
  ],
  [/HPE_/, 'What listens there speaks no HTTP: is the port of baseUrl right, or does it need https://?'],
]

export const hintOfReason = (reason: string): string | undefined => hints.find(([form]) => form.test(reason))?.[1]

export const isNoService = 'Is baseUrl that of Ringfence, without a page or proxy of something else in front of it?'
