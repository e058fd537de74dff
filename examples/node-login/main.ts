// Starts the example with the service and credentials from environment variables.

import { loginServer } from './login-server.ts'

const {
  RINGFENCE_URL: ringfenceUrl = 'http://127.0.0.1:8080',
  RINGFENCE_APP_ID: appId = '',
  RINGFENCE_CLIENT_ID: clientId = '',
  RINGFENCE_CLIENT_SECRET: clientSecret = '',
  PORT: port = '3000',
} = process.env

if (!appId || !clientId || !clientSecret) {
  console.error(
    'Set RINGFENCE_APP_ID, RINGFENCE_CLIENT_ID and RINGFENCE_CLIENT_SECRET: paste the export command printed by `npm start` in the Ringfence folder.',
  )
  process.exit(1)
}

loginServer({ ringfenceUrl, appId, clientId, clientSecret })
  .on('error', (error) => {
    console.error(`${error.message}: choose another port, for example PORT=3001 npm run example`)
    process.exit(1)
  })
  .listen(Number(port), '127.0.0.1', () => {
    console.log(`Sign in at http://localhost:${port}`)
  })
