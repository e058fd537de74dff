// Which part of React Native is used? Types for checking this repository; not published.

declare module 'react-native' {
  export const NativeModules: Readonly<Record<string, unknown>>
}
